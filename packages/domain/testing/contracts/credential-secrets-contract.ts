import { describe, expect, it } from 'vitest';
import {
  type CredentialSecrets,
  parseCredentialId,
  parseCredentialSecret,
} from '../../src/services/index.ts';

/** The contract of every CredentialSecrets. */
export function credentialSecretsContract(name: string, createSecrets: () => CredentialSecrets): void {
  describe(`${name} as CredentialSecrets`, () => {
    const secrets = createSecrets();
    const made = Array.from({ length: 10_000 }, () => secrets.create());

    it('makes ids that are version 7 UUIDs in lower case, each once, sorted by age', () => {
      const ids = made.map(({ id }) => id);
      for (const id of ids) {
        expect(parseCredentialId(id)).toBe(id);
        expect(id).toMatch(/^.{14}7.{4}[89ab]/);
      }
      expect(ids.toSorted()).toEqual(ids);
      expect(new Set(ids).size).toBe(ids.length);
    });

    it('makes secrets of ghs_ and 32 bytes as base64url, each once, whose bytes all vary', () => {
      const all = made.map(({ secret }) => secret);
      expect(new Set(all).size).toBe(all.length);
      const bytes = all.map((secret) => Buffer.from(secret.slice('ghs_'.length), 'base64url'));
      for (const [index, secret] of all.entries()) {
        expect(parseCredentialSecret(secret)).toBe(secret);
        expect(bytes[index]).toHaveLength(32);
        expect(`ghs_${bytes[index]?.toString('base64url')}`).toBe(secret);
      }
      for (let place = 0; place < 32; place += 1) {
        expect(new Set(bytes.map((one) => one[place])).size).toBe(256);
      }
    });

    it('hashes a secret to 32 bytes that do not contain it, always the same and each secret differently', () => {
      const hashes = made.map(({ secret }) => secrets.hashOf(secret));
      expect(new Set(hashes).size).toBe(hashes.length);
      for (const [index, { secret }] of made.entries()) {
        expect(hashes[index]).toMatch(/^[0-9a-f]{64}$/);
        const random = Buffer.from(secret.slice('ghs_'.length), 'base64url');
        expect(hashes[index]).not.toBe(random.toString('hex'));
        expect(createSecrets().hashOf(secret)).toBe(hashes[index]);
      }
    });
  });
}
