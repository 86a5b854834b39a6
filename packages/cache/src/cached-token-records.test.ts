import { AsyncLocalStorage } from 'node:async_hooks';
import { type Awaitable, UnavailableFault } from '@gatehouse/domain';
import type { AccountId } from '@gatehouse/domain/accounts';
import type { Change } from '@gatehouse/domain/changes';
import type { OrganizationId } from '@gatehouse/domain/organizations';
import type { KeyId } from '@gatehouse/domain/signing-keys';
import {
  anEvent,
  aRevocation,
  aTokenRecord,
  createInMemoryRepositories,
  givenAdmin,
  givenToken,
} from '@gatehouse/domain/testing';
import type { TokenId, TokenRecord } from '@gatehouse/domain/tokens';
import type { User, UserId } from '@gatehouse/domain/users';
import fc from 'fast-check';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { AMPLE, createFeedParts, type FeedParts, MAX_STALENESS_MS } from '../testing/parts.ts';
import { createTokenRecordStore } from './cached-token-records.ts';
import { createReadCaches } from './read-caches.ts';
import { addTo, idsOf } from './token-index.ts';

const asker = new AsyncLocalStorage<UserId>();

describe('cached records', () => {
  let parts: FeedParts;
  let store: ReturnType<typeof createInMemoryRepositories>;
  let ada: User;
  let read: TokenId[];
  let readers: (UserId | undefined)[];
  let whileReading: () => void;
  let tokens: Pick<typeof store.tokens, 'findRecord'>;

  const cached = (limits = AMPLE) =>
    createReadCaches({ ...parts, limits }).cachedTokenRecords({
      async findRecord(id: TokenId) {
        read.push(id);
        readers.push(asker.getStore());
        const record = await store.tokens.findRecord(id);
        whileReading();
        return record;
      },
    });

  beforeEach(async () => {
    parts = createFeedParts();
    parts.feed.beat();
    store = createInMemoryRepositories();
    ada = await givenAdmin(store);
    read = [];
    readers = [];
    whileReading = () => {};
    tokens = cached();
  });

  test('are read on behalf of those who ask, even while the feed is not fresh', async () => {
    const { id } = await givenToken(store, ada);
    await asker.run(ada.id, () => tokens.findRecord(id));
    parts.feed.lose();
    await asker.run(ada.id, () => tokens.findRecord(id));
    expect(readers).toEqual([ada.id, ada.id]);
  });

  test('are read once for concurrent and later requests', async () => {
    const { id } = await givenToken(store, ada);
    const [first, ...others] = await Promise.all([1, 2, 3].map(() => tokens.findRecord(id)));
    for (const record of [...others, await tokens.findRecord(id)]) expect(record).toBe(first);
    expect(read).toEqual([id]);
  });

  test('are read each time while the feed is not fresh, and used again afterwards', async () => {
    const { id } = await givenToken(store, ada);
    await tokens.findRecord(id);
    parts.pass(MAX_STALENESS_MS + 1);
    await tokens.findRecord(id);
    await tokens.findRecord(id);
    expect(read).toHaveLength(3);
    parts.feed.beat();
    await tokens.findRecord(id);
    expect(read).toHaveLength(3);
  });

  test('are served without the store while the feed is fresh, and then the fault is passed on', async () => {
    const { id } = await givenToken(store, ada);
    await tokens.findRecord(id);
    whileReading = () => {
      throw new UnavailableFault('gone');
    };
    parts.pass(MAX_STALENESS_MS);
    expect((await tokens.findRecord(id))?.id).toBe(id);
    parts.pass(1);
    await expect(tokens.findRecord(id)).rejects.toThrow(UnavailableFault);
    whileReading = () => {};
    expect((await tokens.findRecord(id))?.id).toBe(id);
  });

  test('that could not be read are read again, even after a synchronous error', async () => {
    const { id } = await givenToken(store, ada);
    let broken = true;
    const failing = createReadCaches({ ...parts, limits: AMPLE }).cachedTokenRecords({
      findRecord(asked: TokenId) {
        if (broken) throw new Error('broken');
        return store.tokens.findRecord(asked);
      },
    });
    await expect(failing.findRecord(id)).rejects.toThrow('broken');
    broken = false;
    expect((await failing.findRecord(id))?.id).toBe(id);
  });

  test('whose read began before the feed was trusted are not cached, even if it is trusted afterwards', async () => {
    const { id } = await givenToken(store, ada);
    parts.feed.lose();
    whileReading = () => parts.feed.beat();
    await tokens.findRecord(id);
    whileReading = () => {};
    await tokens.findRecord(id);
    expect(read).toHaveLength(2);
    await tokens.findRecord(id);
    expect(read).toHaveLength(2);
  });

  test('are used but not cached after ten changed reads, from a read that began after all of its requests arrived', async () => {
    const { id } = await givenToken(store, ada);
    const others: Awaitable<TokenRecord | undefined>[] = [];
    whileReading = () => {
      if (read.length === 10) {
        void store.tokens.revoke(id, aRevocation(), anEvent());
        others.push(tokens.findRecord(id));
      }
      if (read.length === 11) others.push(tokens.findRecord(id));
      if (read.length <= 11) parts.feed.tell({ kind: 'user', id: ada.id });
    };
    expect((await tokens.findRecord(id))?.revocation).not.toBeNull();
    for (const record of await Promise.all(others)) expect(record?.revocation).not.toBeNull();
    expect(others).toHaveLength(2);
    expect(read).toHaveLength(12);
    await tokens.findRecord(id);
    expect(read).toHaveLength(12);
  });

  test('are read again if too many changes occur during the read to record', async () => {
    const { id } = await givenToken(store, ada);
    whileReading = () => {
      whileReading = () => {};
      for (let other = 0; other < 100_000; other += 1) {
        parts.feed.tell({ kind: 'token', id: `other-${other}` as TokenId });
      }
    };
    await tokens.findRecord(id);
    expect(read).toEqual([id, id]);
  });

  test('are not read again for changes before the read', async () => {
    const [one, two] = [await givenToken(store, ada), await givenToken(store, ada)];
    const tellOthers = (count: number) => {
      for (let other = 0; other < count; other += 1) {
        parts.feed.tell({ kind: 'token', id: `other-${count}-${other}` as TokenId });
      }
    };
    await tokens.findRecord(one.id);
    tellOthers(9999);
    whileReading = () => tellOthers(100);
    await tokens.findRecord(two.id);
    expect(read).toEqual([one.id, two.id]);
  });

  test('are read once more, and not cached, if the feed is no longer fresh after the read', async () => {
    const { id } = await givenToken(store, ada);
    whileReading = () => parts.pass(MAX_STALENESS_MS + 1);
    await tokens.findRecord(id);
    expect(read).toHaveLength(2);
    whileReading = () => {};
    parts.feed.beat();
    await tokens.findRecord(id);
    expect(read).toHaveLength(3);
  });

  test('are dropped at the limit, the least recently used first', async () => {
    tokens = cached({ ...AMPLE, tokens: { entries: 2, bytes: 1_000_000 } });
    const given = async () => (await givenToken(store, ada)).id;
    const [one, two, three] = [await given(), await given(), await given()];
    for (const id of [one, two, one, three]) await tokens.findRecord(id);
    read = [];
    for (const id of [one, three, two]) await tokens.findRecord(id);
    expect(read).toEqual([two]);
  });

  test('are off with a limit of 0 entries', () => {
    const off = createReadCaches({ ...parts, limits: { ...AMPLE, tokens: { entries: 0, bytes: 1 } } });
    expect(off.cachedTokenRecords(store.tokens)).toBe(store.tokens);
  });
});

vi.mock(import('./token-index.ts'), { spy: true });

const few = fc.integer({ min: 1, max: 4 });

const anyRecord = fc
  .record({
    token: fc.integer({ min: 1, max: 30 }),
    user: few,
    account: few,
    // Few keys: the group of a key has too many tokens to be a list.
    key: fc.integer({ min: 1, max: 2 }),
    nameLength: fc.nat(4000),
  })
  .map(({ token, user, account, key, nameLength }) =>
    aTokenRecord({
      id: `token-${token}` as TokenId,
      userId: user as UserId,
      accountId: account as AccountId,
      keyId: `key-${key}` as KeyId,
      name: 'n'.repeat(nameLength),
    }),
  );

const anyChange: fc.Arbitrary<Change> = fc.oneof(
  few.map((id): Change => ({ kind: 'token', id: `token-${id}` as TokenId })),
  few.map((id): Change => ({ kind: 'user', id: id as UserId })),
  few.map((id): Change => ({ kind: 'account', id: id as AccountId })),
  few.map((id): Change => ({ kind: 'key', id: `key-${id}` as KeyId })),
  fc.constantFrom<Change>(
    { kind: 'everything' },
    { kind: 'organization', id: 1 as OrganizationId },
    { kind: 'membership', organizationId: 1 as OrganizationId, userId: 1 as UserId },
  ),
);

function dependsOn({ id, user, account, keyId }: TokenRecord, change: Change): boolean {
  if (change.kind === 'everything') return true;
  const parts: Partial<Record<Change['kind'], unknown>> = {
    token: id,
    user: user.id,
    account: account.id,
    key: keyId,
  };
  return 'id' in change && parts[change.kind] === change.id;
}

/** Each index that a store adds to has exactly the cached tokens, and no empty group. */
function expectIndexed(held: readonly TokenRecord[]) {
  for (const index of new Set(vi.mocked(addTo).mock.calls.map(([index]) => index))) {
    const groups = [...index.keys()].map((group) => idsOf(index, group));
    expect(new Set(groups.flat())).toEqual(new Set(held.map(({ id }) => id)));
    expect(groups).not.toContainEqual([]);
  }
}

const steps = fc.array(fc.oneof({ weight: 3, arbitrary: anyRecord }, { weight: 1, arbitrary: anyChange }), {
  size: 'large',
});

// Many runs of much work, on machines that others use as well.
test('indexes have exactly the cached tokens, and a change drops exactly those that depend on it', {
  timeout: 60_000,
}, () => {
  fc.assert(
    fc.property(steps, (taken) => {
      vi.mocked(addTo).mockClear();
      const store = createTokenRecordStore({ entries: 24, bytes: 100_000 });
      const kept = new Map<TokenId, TokenRecord>();
      const held = () => [...kept.values()].filter((record) => store.get(record.id) === record);
      for (const step of taken) {
        const before = held();
        if (!('scopes' in step)) {
          store.drop(step);
          expect(held()).toEqual(before.filter((record) => !dependsOn(record, step)));
        } else {
          const { id } = step;
          const shared = store.keep(id, step);
          expect(shared).toEqual(step);
          kept.set(id, shared);
        }
        expectIndexed(held());
        expect(held().length).toBeLessThanOrEqual(24);
      }
    }),
  );
});

test('records share equal parts, and only those', () => {
  const store = createTokenRecordStore({ entries: 10, bytes: 100_000 });
  const keep = (id: string, changed: Partial<TokenRecord> = {}) =>
    store.keep(id as TokenId, aTokenRecord({ id: id as TokenId, ...changed }));
  const first = keep('first');
  const second = keep('second');
  expect(second.user).toBe(first.user);
  expect(second.account).toBe(first.account);
  expect(second.keyId).toBe(first.keyId);
  expect(second.scopes).toBe(first.scopes);

  const account = { ...first.account, name: 'Acme Ltd' };
  expect(keep('third', { account }).account).toEqual(account);
  // The token that was added last has been removed: there is nothing to share, and no harm.
  store.drop({ kind: 'token', id: 'third' as TokenId });
  expect(keep('fourth').account).toEqual(first.account);
});
