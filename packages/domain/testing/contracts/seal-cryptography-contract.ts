import { describe, expect, it } from 'vitest';
import type { SealCryptography } from '../../src/audit/index.ts';

/** The contract of every SealCryptography. */
export function sealCryptographyContract(name: string, create: () => SealCryptography): void {
  describe(`${name} as SealCryptography`, () => {
    const cryptography = create();

    it('makes secrets of 32 bytes, each once', () => {
      const secrets = Array.from({ length: 100 }, () => cryptography.createSecret());
      for (const secret of secrets) expect(secret).toHaveLength(32);
      expect(new Set(secrets.map(String)).size).toBe(100);
    });

    it('hashes by SHA-256, of which FIPS 180-2 has an example', () => {
      const example = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
      expect(Buffer.from(cryptography.hash('abc'), 'base64url').toString('hex')).toBe(example);
      expect(cryptography.hash('ü')).not.toBe(cryptography.hash('u'));
    });

    it('makes MACs of 32 bytes that depend on the secret and on the text', () => {
      const [one, other] = [cryptography.createSecret(), cryptography.createSecret()];
      const mac = cryptography.mac(one, 'text');
      expect(Buffer.from(mac, 'base64url')).toHaveLength(32);
      expect(create().mac(one, 'text')).toBe(mac);
      expect(cryptography.mac(other, 'text')).not.toBe(mac);
      expect(cryptography.mac(one, 'texts')).not.toBe(mac);
    });
  });
}
