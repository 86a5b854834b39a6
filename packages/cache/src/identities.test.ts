import { WITHOUT_TURNS } from '@gatehouse/domain';
import type { KeyId, VerificationKey } from '@gatehouse/domain/signing-keys';
import { aTokenRecord } from '@gatehouse/domain/testing';
import type { TokenClaims, TokenId, TokenSigner } from '@gatehouse/domain/tokens';
import { authenticateToken } from '@gatehouse/domain/tokens';
import type { UserId } from '@gatehouse/domain/users';
import { recordFigures, sized } from '@gatehouse/fault-figures';
import { describe, expect, test } from 'vitest';
import { createFeedParts } from '../testing/parts.ts';
import { createReadCaches } from './read-caches.ts';

const COUNT = sized({ short: 20_000, full: 100_000 });
const ISSUER = { issuer: 'gatehouse', audience: 'gatehouse-api' };
const KEY: VerificationKey = { id: 'key-1' as KeyId, format: 'paseto', publicKey: new Uint8Array(32) };
const PADDING = 'x'.repeat(280);

const idOf = (serial: number) => `01890000-0000-7000-8000-${String(serial).padStart(12, '0')}` as TokenId;
/** Some have several tokens. */
const userOf = (serial: number) => (1 + (serial % 7_919)) as UserId;
/** As long as real ones, and different only in the middle. */
const tokenOf = (serial: number) => `v4.public.${PADDING}${serial}.${PADDING.slice(100)}`;
const serialOf = (token: string) => Number(/x(\d+)\./.exec(token)?.[1]);

/** Accepts every signature at once: the test is only about identities. */
function createAuthentication(keyOf: (token: string) => string = (token) => token) {
  const { feed, isFresh } = createFeedParts();
  feed.beat();
  const { createdAt } = aTokenRecord({ id: idOf(1) });
  const signer: Pick<TokenSigner, 'format' | 'keyIdOf' | 'verify'> = {
    format: 'paseto',
    keyIdOf: () => KEY.id,
    async verify(token) {
      const [tokenId, subject] = [idOf(serialOf(token)), userOf(serialOf(token))];
      const claims = { ...ISSUER, tokenId, subject, kind: 'api', issuedAt: createdAt, expiresAt: null };
      return claims as TokenClaims;
    },
  };
  // Room for some of them: others give way all the time.
  const tokens = { entries: COUNT / 2, bytes: 1_000_000_000 };
  const limits = { tokens, organizations: { entries: 0, bytes: 1 }, memberships: 0 };
  const caches = createReadCaches({ feed, isFresh, limits });
  const cached = caches.cachedSigner(signer as TokenSigner);
  const authenticate = authenticateToken({
    signers: [{ ...cached, verify: (token, key) => cached.verify(keyOf(token), key) }],
    keys: { find: async () => KEY },
    tokens: caches.cachedTokenRecords({
      findRecord: async (id: TokenId) =>
        aTokenRecord({ id, userId: userOf(Number(id.slice(-12))), keyId: KEY.id }),
    }),
    clock: { now: () => createdAt },
    onBehalf: WITHOUT_TURNS,
    issuer: ISSUER,
    usage: { used: () => undefined, refused: () => undefined, usedOutside: () => undefined },
  });
  return { authenticate, caches };
}

/** Returns how many of the tokens were authenticated as the wrong user, asked in two rounds, some at once. */
async function confusions({ authenticate }: ReturnType<typeof createAuthentication>, count: number) {
  const isRight = async (serial: number) => {
    const origin = `192.0.2.${serial % 256}`;
    const caller = await authenticate(tokenOf(serial), origin);
    const isUser = caller.kind === 'user' && caller.userId === userOf(serial);
    return isUser && caller.token.id === idOf(serial) && caller.origin === origin;
  };
  let confused = 0;
  for (let round = 0; round < 2; round += 1) {
    for (let first = 0; first < count; first += 20) {
      // Each twice at once, sharing what is read, and then again, when it is held.
      const twice = Array.from({ length: 40 }, (_, index) => first + (index % 20));
      for (const serials of [twice, twice.slice(0, 20)]) {
        const rights = await Promise.all(serials.map(isRight));
        confused += rights.filter((right) => !right).length;
      }
    }
  }
  return confused;
}

describe('the identity behind a token', () => {
  test(`is never another’s: ${COUNT} tokens, cached or not, none confused`, {
    timeout: 120_000,
  }, async () => {
    const authentication = createAuthentication();
    const confused = await confusions(authentication, COUNT);
    recordFigures('Q17', [
      { name: 'tokens', measured: `${COUNT}` },
      { name: 'confused', measured: `${confused}`, bar: '0', holds: confused === 0 },
    ]);
    expect(confused).toBe(0);
    const { signatures, grants } = authentication.caches.reads();
    // Both were asked, and both have had it.
    for (const { hit, miss } of [signatures, grants]) expect(Math.min(hit, miss)).toBeGreaterThan(0);
  });

  test('is wrong, and detected, if a cache identifies a token by a part of it', async () => {
    const authentication = createAuthentication((token) => token.slice(0, -200));
    expect(await confusions(authentication, 2_000)).toBeGreaterThan(0);
  });
});
