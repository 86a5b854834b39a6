import {
  anEvent,
  aRevocation,
  createWorld,
  givenAccount,
  givenPerson,
  inPerson,
  START,
} from '@gatehouse/domain/testing';
import { addMilliseconds } from '@gatehouse/domain/time';
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
  const { id: accountId } = await givenAccount(world);
  const user = await givenPerson(world, { accountId, email: 'ada@acme.example' });
  const issued = await issueToken(world)(inPerson(user), {
    name: 'ERP',
    format,
    scopes: ['*'],
    expiry: { in: DAY },
  });
  if (!issued.ok) throw new Error(issued.error.code);
  const { secret, record } = issued.value;

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
    await givenPerson(world, { accountId: user.accountId, email: 'bob@acme.example' });
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
    const key = await world.signingKeys.findById(record.keyId);
    if (!key) throw new Error('no key');
    const next = {
      ...key,
      id: 'next' as typeof key.id,
      state: 'staged' as const,
      createdAt: addMilliseconds(START, 1),
    };
    await world.signingKeys.insert(next, anEvent());
    await world.signingKeys.activate(next.id, START, anEvent());
    await world.signingKeys.retire(key.id, START, aRevocation(), anEvent());
    expect(await verdict()).toBe('key_retired');
  });
});
