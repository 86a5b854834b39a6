import type { VerificationKey } from '@gatehouse/domain/signing-keys';
import { createFakeTokenSigner, someClaims } from '@gatehouse/domain/testing';
import type { TokenId, TokenSigner } from '@gatehouse/domain/tokens';
import type { UserId } from '@gatehouse/domain/users';
import { beforeEach, describe, expect, test } from 'vitest';
import { AMPLE, createFeedParts } from '../testing/parts.ts';
import { createReadCaches } from './read-caches.ts';

const inner = createFakeTokenSigner();

describe('a cached signer', () => {
  let verified: string[];
  let signer: TokenSigner;
  let token: string;
  let key: VerificationKey;

  const createSigner = (entries = 200_000): TokenSigner => {
    const limits = { ...AMPLE, tokens: { entries, bytes: 1_000_000_000 } };
    return createReadCaches({ ...createFeedParts(), limits }).cachedSigner({
      ...inner,
      verify(text, under) {
        verified.push(text);
        return inner.verify(text, under);
      },
    });
  };

  beforeEach(async () => {
    verified = [];
    signer = createSigner();
    const pair = await inner.generateKey();
    key = { ...pair, format: inner.format };
    token = await inner.sign(someClaims(), pair);
  });

  test('verifies a signature once, with or without a feed', async () => {
    expect(await signer.verify(token, key)).toEqual(someClaims());
    expect(await signer.verify(token, key)).toEqual(someClaims());
    expect(verified).toEqual([token]);
  });

  test('verifies again under another key object, even with the same id', async () => {
    await signer.verify(token, key);
    const other = { ...key, publicKey: new Uint8Array(32) };
    expect(await signer.verify(token, other)).toBeUndefined();
    expect(await signer.verify(token, { ...key })).toEqual(someClaims());
    expect(verified).toHaveLength(3);
  });

  test('does not cache refused tokens', async () => {
    const forged = `${token.slice(0, -1)}!`;
    expect(await signer.verify(forged, key)).toBeUndefined();
    expect(await signer.verify(forged, key)).toBeUndefined();
    expect(verified).toHaveLength(2);
  });

  test('is off with a limit of 0 entries', async () => {
    signer = createSigner(0);
    await signer.verify(token, key);
    await signer.verify(token, key);
    expect(verified).toHaveLength(2);
  });

  test('finds the key id of a token, before and after verifying it', async () => {
    expect(signer.keyIdOf(token)).toBe(key.id);
    await signer.verify(token, key);
    expect(signer.keyIdOf(token)).toBe(key.id);
    expect(signer.keyIdOf(`${token.slice(0, -1)}!`)).toBe(key.id);
  });

  test('refuses tokens of another format, although both share a cache', async () => {
    const caches = createReadCaches({ ...createFeedParts(), limits: AMPLE });
    const paseto = caches.cachedSigner(createFakeTokenSigner('paseto'));
    const jwt = caches.cachedSigner(createFakeTokenSigner('jwt'));
    expect(await paseto.verify(token, key)).toEqual(someClaims());
    expect(jwt.keyIdOf(token)).toBeUndefined();
    expect(await jwt.verify(token, key)).toBeUndefined();
  });

  test('never confuses one of 100,000 tokens with another', { timeout: 60_000 }, async () => {
    const quick = quickSigner();
    const cached = createReadCaches({
      ...createFeedParts(),
      limits: { ...AMPLE, tokens: { entries: 100_000, bytes: 1_000_000_000 } },
    }).cachedSigner(quick);
    const under: VerificationKey = { ...key, id: quick.keyIdOf('') ?? key.id };
    for (let round = 0; round < 2; round += 1) {
      for (let subject = 1; subject <= 100_000; subject += 1) {
        const claims = await cached.verify(quickToken(subject), under);
        if (claims?.subject !== subject) expect.fail(`${subject} became ${claims?.subject}`);
      }
    }
    expect(quick.verified()).toBe(100_000);
  });
});

const PADDING = 'x'.repeat(280);

/** As long as real ones, and different only in the middle. */
function quickToken(serial: number): string {
  return `quick.${PADDING}${serial}.${PADDING.slice(100)}`;
}

/** Accepts every signature at once, for tests of many tokens. */
function quickSigner(): TokenSigner & { verified(): number } {
  let verified = 0;
  return {
    ...inner,
    verified: () => verified,
    async verify(token) {
      verified += 1;
      const subject = Number(/\d+/.exec(token)?.[0]) as UserId;
      return someClaims({ subject, tokenId: token as TokenId });
    },
  };
}
