import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { VerificationKey } from '../../src/signing-keys/signing-key.ts';
import { type Instant, LAST_INSTANT } from '../../src/time/instant.ts';
import { TOKEN_FORMATS } from '../../src/tokens/token.ts';
import {
  type KeyPair,
  TOKEN_MAX_LENGTH,
  type TokenClaims,
  type TokenSigner,
} from '../../src/tokens/token-signer.ts';
import { anyClaims, someClaims } from '../token-claims.ts';
import { forgedPayloads } from './forged-payloads.ts';
import { bitFlips, otherSpellings, splices, symbolFlips } from './token-damage.ts';

interface TokenSignerHarness {
  createSigner(): TokenSigner;

  /** Creates a token with any payload, signed with the key as by `sign`. */
  forge(payload: Uint8Array, key: KeyPair): Promise<string>;

  /** Returns the signed text. */
  payloadOf(token: string): string;
}

const THOROUGH = 60_000;

/** The contract of every TokenSigner. */
export function tokenSignerContract(name: string, harness: TokenSignerHarness): void {
  describe(`${name} as a TokenSigner`, () => {
    const { forge, payloadOf } = harness;
    const signer = harness.createSigner();
    let key: KeyPair;
    let token: string;

    beforeAll(async () => {
      key = await signer.generateKey();
      token = await signer.sign(someClaims(), key);
    });

    const publicHalf = (pair: KeyPair, changes?: Partial<VerificationKey>): VerificationKey => ({
      id: pair.id,
      format: signer.format,
      publicKey: pair.publicKey,
      ...changes,
    });
    const expectAllRefused = async (texts: Iterable<string>) => {
      const verificationKey = publicHalf(key);
      let count = 0;
      for (const text of texts) {
        if ((await signer.verify(text, verificationKey)) !== undefined) expect.fail(`accepted ${text}`);
        count += 1;
      }
      expect(count).toBeGreaterThan(0);
    };

    describe('keys', () => {
      it('are new each time, with 32 bytes in both halves', async () => {
        const pairs = await Promise.all([1, 2, 3].map(() => signer.generateKey()));
        for (const pair of pairs) {
          expect([pair.publicKey.length, pair.secretKey.length]).toEqual([32, 32]);
        }
        expect(new Set(pairs.map((pair) => pair.id)).size).toBe(3);
        expect(new Set(pairs.map((pair) => pair.secretKey.join())).size).toBe(3);
      });

      it('are enough for verification: a signer with another key object verifies, too', async () => {
        const copy = publicHalf({ ...key, publicKey: Uint8Array.from(key.publicKey) });
        expect(await harness.createSigner().verify(token, copy)).toEqual(someClaims());
      });

      it('that are damaged cause a fault, not a refusal', async () => {
        const damaged = publicHalf(key, { publicKey: key.publicKey.subarray(1) });
        await expect(signer.verify(token, damaged)).rejects.toThrow();
      });
    });

    describe('signing', () => {
      it('keeps all claims, of every kind, with and without an expiry', async () => {
        await fc.assert(
          fc.asyncProperty(anyClaims, async (signed) => {
            expect(await signer.verify(await signer.sign(signed, key), publicHalf(key))).toEqual(signed);
          }),
        );
      });

      it('returns text for an Authorization header of fewer than 600 characters', async () => {
        const longest = await signer.sign(
          someClaims({ subject: Number.MAX_SAFE_INTEGER as TokenClaims['subject'], kind: 'sign-in' }),
          key,
        );
        expect(longest).toMatch(/^[A-Za-z0-9._-]+$/);
        expect(longest.length).toBeLessThan(600);
      });

      it.each([
        ['a fraction of a second', 1_790_000_000_001],
        ['a moment before 1970', -1000],
        ['a moment after the year 9999', LAST_INSTANT + 1],
        ['no number', Number.NaN],
      ])('refuses a date that no token can represent: %s', async (_, date) => {
        const at = date as Instant;
        await expect(signer.sign(someClaims({ issuedAt: at }), key)).rejects.toThrow(RangeError);
        await expect(signer.sign(someClaims({ expiresAt: at }), key)).rejects.toThrow(RangeError);
      });

      it('faults with the halves of two keys', async () => {
        const { publicKey } = await signer.generateKey();
        await expect(signer.sign(someClaims(), { ...key, publicKey })).rejects.toThrow();
      });

      it('refuses claims so long that the token would not be read', async () => {
        const issuer = 'i'.repeat(TOKEN_MAX_LENGTH);
        await expect(signer.sign(someClaims({ issuer }), key)).rejects.toThrow(RangeError);
      });
    });

    describe('verifying', () => {
      it('gives the same result every time, concurrently or one after another', async () => {
        const verificationKey = publicHalf(key);
        const atOnce = Array.from({ length: 20 }, () => signer.verify(token, verificationKey));
        for (const answer of await Promise.all(atOnce)) expect(answer).toEqual(someClaims());
        expect(await signer.verify(token, verificationKey)).toEqual(someClaims());
      });

      it.each<[string, Partial<TokenClaims>]>([
        ['that expired long ago', { issuedAt: 1000 as Instant, expiresAt: 2000 as Instant }],
        ['of the far future', { issuedAt: (LAST_INSTANT - 999) as Instant, expiresAt: null }],
        ['that expired before it was issued', { expiresAt: 0 as Instant }],
      ])('does not check times: a token %s verifies', async (_, dates) => {
        const dated = someClaims(dates);
        expect(await signer.verify(await signer.sign(dated, key), publicHalf(key))).toEqual(dated);
      });

      it('refuses a token of another key, even under the same id', async () => {
        const other = await signer.generateKey();
        const foreign = await signer.sign(someClaims(), other);
        expect(await signer.verify(foreign, publicHalf(key))).toBeUndefined();
        expect(await signer.verify(token, publicHalf(key, { publicKey: other.publicKey }))).toBeUndefined();
        const claimed = await signer.sign(someClaims(), { ...other, id: key.id });
        expect(await signer.verify(claimed, publicHalf(key))).toBeUndefined();
      });

      it('refuses a key of another id or format, though its public key is the same', async () => {
        const { id } = await signer.generateKey();
        expect(await signer.verify(token, publicHalf(key, { id }))).toBeUndefined();
        for (const format of TOKEN_FORMATS.filter((other) => other !== signer.format)) {
          expect(await signer.verify(token, publicHalf(key, { format }))).toBeUndefined();
        }
      });
    });

    describe('a damaged token is refused', () => {
      it('with any bit of any character flipped', () => expectAllRefused(bitFlips(token)), THOROUGH);

      it(
        'with any bit of what the characters encode flipped',
        () => expectAllRefused(symbolFlips(token)),
        THOROUGH,
      );

      it(
        'with any bit of it flipped, whatever it says',
        () =>
          fc.assert(
            fc.asyncProperty(anyClaims, fc.nat(), fc.nat({ max: 7 }), async (signed, place, bit) => {
              const characters = Buffer.from(await signer.sign(signed, key));
              const index = place % characters.length;
              characters.writeUInt8(characters.readUInt8(index) ^ (1 << bit), index);
              const flipped = characters.toString('latin1');
              expect(await signer.verify(flipped, publicHalf(key))).toBeUndefined();
            }),
          ),
        THOROUGH,
      );

      it('cut off at any length, from either end', () =>
        expectAllRefused(
          Array.from(token).flatMap((_, length) => [token.slice(0, length), token.slice(length + 1)]),
        ));

      it('with anything before or after it', () => {
        const characters = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code));
        const more = [...characters, '.e30', '..', '\r\n', '\ufeff', '=', '==', token, `.${token}`];
        return expectAllRefused(more.flatMap((text) => [token + text, text + token]));
      });

      it('spliced from two genuine ones', async () => {
        const other = await signer.sign(someClaims({ subject: 8 as TokenClaims['subject'] }), key);
        await expectAllRefused(splices(token, other));
      });

      it('spelled otherwise: padded, with trailing bits, in the other alphabet, in other case', async () => {
        const issuers = ['', 'i', 'is', 'iss', 'issu'];
        const tokens = await Promise.all(issuers.map((issuer) => signer.sign(someClaims({ issuer }), key)));
        await expectAllRefused(tokens.flatMap((text) => [...otherSpellings(text)]));
      });
    });

    describe('a well signed token is refused', () => {
      const verifyForged = async (payload: Uint8Array) =>
        signer.verify(await forge(payload, key), publicHalf(key));

      it.each([
        ['with an expiry', someClaims()],
        ['without an expiry', someClaims({ expiresAt: null })],
      ])('unless its payload, %s, is spelled as signing does', async (_, signed) => {
        const payload = payloadOf(await signer.sign(signed, key));
        expect(await verifyForged(Buffer.from(payload))).toEqual(signed);
        for (const [difference, forged] of forgedPayloads(payload)) {
          expect(await verifyForged(forged), difference).toBeUndefined();
        }
      });

      it('with any other payload at all', async () => {
        await fc.assert(
          fc.asyncProperty(
            fc.oneof(
              fc.uint8Array(),
              fc.json().map((json) => Buffer.from(json)),
            ),
            async (bytes) => {
              expect(await verifyForged(bytes)).toBeUndefined();
            },
          ),
        );
      });
    });

    describe('the key id', () => {
      it('is read from a token before its signature is checked', async () => {
        expect(signer.keyIdOf(token)).toBe(key.id);
        const other = await signer.generateKey();
        expect(signer.keyIdOf(await signer.sign(someClaims({ expiresAt: null }), other))).toBe(other.id);
      });

      it('is undefined for text that is not a token of this format, and reading it never throws', () => {
        fc.assert(
          fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.base64String()), (text) => {
            expect(signer.keyIdOf(text)).toBeUndefined();
          }),
        );
        for (const text of [
          token.slice(1),
          token.slice(0, -1),
          `${token}.`,
          token.toUpperCase(),
          '',
          '.',
          '...',
        ]) {
          expect(() => signer.keyIdOf(text)).not.toThrow();
        }
      });

      it('is not looked for in a text longer than any token', () => {
        const size = 5_000_000;
        for (const text of [token, '.', 'a', '"', '{"kid":"', 'v4.public.', '\u{1f511}']) {
          expect(signer.keyIdOf(text.repeat(Math.ceil(size / text.length)))).toBeUndefined();
          expect(signer.keyIdOf(text.repeat(Math.ceil(size / text.length)) + token)).toBeUndefined();
          expect(signer.keyIdOf(token + text.repeat(Math.ceil(size / text.length)))).toBeUndefined();
        }
      });
    });
  });
}
