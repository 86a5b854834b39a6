import { describe, expect, it } from 'vitest';
import {
  type AttemptSecrets,
  parseAttemptSecret,
  parseAttemptState,
} from '../../src/identity-providers/index.ts';

/** The contract of every AttemptSecrets. */
export function attemptSecretsContract(name: string, createSecrets: () => AttemptSecrets): void {
  describe(`${name} as AttemptSecrets`, () => {
    const secrets = createSecrets();
    const made = Array.from({ length: 2000 }, () => ({
      secret: secrets.createSecret(),
      state: secrets.createState(),
    }));

    it('makes secrets and states of 32 bytes as base64url, each once, whose bytes all vary', () => {
      const all = made.flatMap(({ secret, state }) => [secret, state]);
      expect(new Set(all).size).toBe(all.length);
      const bytes = all.map((text) => Buffer.from(text, 'base64url'));
      for (const [index, text] of all.entries()) {
        expect(bytes[index]).toHaveLength(32);
        expect(bytes[index]?.toString('base64url')).toBe(text);
        expect(parseAttemptSecret(text)).toBe(text);
        expect(parseAttemptState(text)).toBe(text);
      }
      for (let place = 0; place < 32; place += 1)
        expect(new Set(bytes.map((one) => one[place])).size).toBe(256);
    });

    it('hashes to 32 bytes, always the same', () => {
      const hashes = made.flatMap(({ secret, state }) => [secrets.hashOf(secret), secrets.hashOf(state)]);
      expect(new Set(hashes).size).toBe(hashes.length);
      for (const [index, { secret }] of made.entries()) {
        expect(hashes[2 * index]).toMatch(/^[0-9a-f]{64}$/);
        expect(createSecrets().hashOf(secret)).toBe(hashes[2 * index]);
      }
    });

    it('derives a nonce and a code verifier from the secret and the state, each another one', () => {
      const [one, other] = made as [(typeof made)[0], (typeof made)[0]];
      const derived = secrets.derive(one.secret, one.state);
      expect(createSecrets().derive(one.secret, one.state)).toEqual(derived);
      const all = [
        derived,
        secrets.derive(other.secret, one.state),
        secrets.derive(one.secret, other.state),
      ].flatMap(({ nonce, codeVerifier }) => [nonce, codeVerifier]);
      expect(new Set([...all, one.secret, one.state]).size).toBe(8);
      for (const text of all) expect(text).toMatch(/^[\w-]{43}$/);
    });
  });
}
