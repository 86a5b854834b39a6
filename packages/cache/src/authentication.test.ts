import {
  anEvent,
  aRevocation,
  aSigningKey,
  createWorld,
  givenAdmins,
  inPerson,
  START,
  unwrap,
} from '@gatehouse/domain/testing';
import { authenticateToken, issueToken, type TokenFormat } from '@gatehouse/domain/tokens';
import { describe, expect, test } from 'vitest';
import { AMPLE, createFeedParts } from '../testing/parts.ts';
import { createReadCaches } from './read-caches.ts';

const DAY = 86_400_000;

/** A token in use: its signature and its record are held. */
async function givenWarmToken(format: TokenFormat = 'paseto') {
  const { feed, isFresh } = createFeedParts();
  feed.beat();
  const caches = createReadCaches({ feed, isFresh, limits: AMPLE });
  const world = await createWorld(feed.tell);
  const [user] = await givenAdmins(world);
  const input = { name: 'ERP', format, scopes: ['*'], expiry: { in: DAY } } as const;
  const { secret, record } = unwrap(await issueToken(world)(inPerson(user), input));

  let reads = 0;
  const authenticate = authenticateToken({
    ...world,
    signers: world.signers.map((signer) => {
      const counting = {
        ...signer,
        verify(...args: Parameters<typeof signer.verify>) {
          reads += 1;
          return signer.verify(...args);
        },
      };
      return caches.cachedSigner(counting);
    }),
    tokens: caches.cachedTokenRecords({
      findRecord(id) {
        reads += 1;
        return world.tokens.findRecord(id);
      },
    }),
  });
  const verdict = async () => {
    const caller = await authenticate(secret, '192.0.2.1');
    return caller.kind === 'refused' ? caller.reason : 'accepted';
  };
  expect(await verdict()).toBe('accepted');
  expect(reads).toBe(2);
  return { world, user, record, verdict, reads: () => reads };
}

describe('a token in use', () => {
  test.each(['paseto', 'jwt'] as const)('in format %s is accepted again without a read', async (format) => {
    const { verdict, reads } = await givenWarmToken(format);
    expect(await verdict()).toBe('accepted');
    expect(reads()).toBe(2);
  });

  test('is refused from its expiry on, cached or not', async () => {
    const { world, verdict, reads } = await givenWarmToken();
    world.clock.advance(DAY - 1);
    expect(await verdict()).toBe('accepted');
    world.clock.advance(1);
    expect(await verdict()).toBe('expired');
    expect(reads()).toBe(2);
  });

  test('is refused when it was revoked', async () => {
    const { world, record, verdict } = await givenWarmToken();
    await world.tokens.revoke(record.id, aRevocation(), anEvent());
    expect(await verdict()).toBe('revoked');
  });

  test('is refused when its user was disabled', async () => {
    const { world, user, verdict } = await givenWarmToken();
    await world.users.disable(user.id, aRevocation(), anEvent());
    expect(await verdict()).toBe('revoked');
  });

  test('is refused when its account was suspended', async () => {
    const { world, user, verdict } = await givenWarmToken();
    await world.accounts.suspend(user.accountId, START, anEvent());
    expect(await verdict()).toBe('account_suspended');
  });

  test('is refused when its key was retired, even if its signature is cached', async () => {
    const { world, record, verdict } = await givenWarmToken();
    const next = aSigningKey();
    await world.signingKeys.insert(next, anEvent());
    await world.signingKeys.activate(next.id, START, anEvent());
    await world.signingKeys.retire(record.keyId, START, aRevocation(), anEvent());
    expect(await verdict()).toBe('key_retired');
  });
});
