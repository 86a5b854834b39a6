import { describe, expect, it } from 'vitest';
import { parseSessionId, type SessionSecrets } from '../../src/sessions/index.ts';

/** The contract of every SessionSecrets. */
export function sessionSecretsContract(name: string, createSecrets: () => SessionSecrets): void {
  describe(`${name} as SessionSecrets`, () => {
    const secrets = createSecrets();
    const made = Array.from({ length: 10_000 }, () => secrets.create());

    it('makes ids that are version 7 UUIDs in lower case, each once, sorted by age', () => {
      const ids = made.map(({ id }) => id);
      for (const id of ids) {
        expect(parseSessionId(id)).toBe(id);
        expect(id).toMatch(/^.{14}7.{4}[89ab]/);
      }
      expect(ids.toSorted()).toEqual(ids);
      expect(new Set(ids).size).toBe(ids.length);
    });

    it('makes secrets of 32 bytes as base64url, each once, whose bytes all vary', () => {
      const all = [...made.map(({ secret }) => secret), secrets.createSecret(), secrets.createSecret()];
      expect(new Set(all).size).toBe(all.length);
      const bytes = all.map((secret) => Buffer.from(secret, 'base64url'));
      for (const [index, secret] of all.entries()) {
        expect(bytes[index]).toHaveLength(32);
        expect(bytes[index]?.toString('base64url')).toBe(secret);
      }
      for (let place = 0; place < 32; place += 1) {
        expect(new Set(bytes.map((one) => one[place])).size).toBe(256);
      }
    });

    it('makes form keys of 32 bytes in hexadecimal, each once, which cannot be told from the secret', () => {
      expect(new Set(made.map(({ formKey }) => formKey)).size).toBe(made.length);
      for (const { formKey, secret } of made) {
        expect(formKey).toMatch(/^[0-9a-f]{64}$/);
        const fromSecret = [secrets.hashOf(secret), Buffer.from(secret, 'base64url').toString('hex')];
        expect(fromSecret).not.toContain(formKey);
      }
    });

    it('hashes a secret to 32 bytes that do not contain it, always the same and each secret differently', () => {
      const hashes = made.map(({ secret }) => secrets.hashOf(secret));
      expect(new Set(hashes).size).toBe(hashes.length);
      for (const [index, { secret }] of made.entries()) {
        expect(hashes[index]).toMatch(/^[0-9a-f]{64}$/);
        expect(hashes[index]).not.toBe(Buffer.from(secret, 'base64url').toString('hex'));
        expect(createSecrets().hashOf(secret)).toBe(hashes[index]);
      }
    });
  });
}
