import type { AccountId } from '@gatehouse/domain/accounts';
import type { Change } from '@gatehouse/domain/changes';
import type { KeyId } from '@gatehouse/domain/signing-keys';
import type { Grant, TokenId } from '@gatehouse/domain/tokens';
import type { UserId } from '@gatehouse/domain/users';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { aGrant } from '../testing/grants.ts';
import { type Index, idsOf } from './grant-index.ts';
import { createGrantStore, type GrantIndexes } from './grant-store.ts';

const few = fc.integer({ min: 1, max: 4 });

const anyGrant = fc
  .record({
    token: fc.integer({ min: 1, max: 12 }),
    user: few,
    account: few,
    key: few,
    nameLength: fc.nat(4000),
  })
  .map(({ token, user, account, key, nameLength }) =>
    aGrant({
      tokenId: `token-${token}` as TokenId,
      userId: user as UserId,
      accountId: account as AccountId,
      keyId: `key-${key}` as KeyId,
      tokenName: 'n'.repeat(nameLength),
    }),
  );

const anyChange: fc.Arbitrary<Change> = fc.oneof(
  few.map((id): Change => ({ kind: 'token', id: `token-${id}` as TokenId })),
  few.map((id): Change => ({ kind: 'user', id: id as UserId })),
  few.map((id): Change => ({ kind: 'account', id: id as AccountId })),
  few.map((id): Change => ({ kind: 'key', id: `key-${id}` as KeyId })),
  fc.constant<Change>({ kind: 'everything' }),
);

function dependsOn({ token, user, account, key }: Grant, change: Change): boolean {
  switch (change.kind) {
    case 'token':
      return change.id === token.id;
    case 'user':
      return change.id === user.id;
    case 'account':
      return change.id === account.id;
    case 'key':
      return change.id === key.id;
    default:
      return change.kind === 'everything';
  }
}

/** The index says of each group which of the grants are in it, and has no other groups. */
function expectIndexed<Group>(index: Index<Group>, held: readonly Grant[], groupOf: (grant: Grant) => Group) {
  const groups = Map.groupBy(held, groupOf);
  expect(new Set(index.keys())).toEqual(new Set(groups.keys()));
  for (const [group, grants] of groups) {
    expect(new Set(idsOf(index, group))).toEqual(new Set(grants.map(({ token }) => token.id)));
  }
}

const steps = fc.array(fc.oneof({ weight: 3, arbitrary: anyGrant }, { weight: 1, arbitrary: anyChange }), {
  size: 'large',
});

// Many runs of much work, on machines that others use, too.
test('indexes name just what is held, and a change drops just what depends on it', {
  timeout: 60_000,
}, () => {
  fc.assert(
    fc.property(steps, (taken) => {
      const indexes: GrantIndexes = { byUser: new Map(), byAccount: new Map(), byKey: new Map() };
      const store = createGrantStore({ entries: 6, bytes: 8000 }, indexes);
      const kept = new Map<TokenId, Grant>();
      const held = () => [...kept.values()].filter((grant) => store.get(grant.token.id) === grant);
      for (const step of taken) {
        const before = held();
        if ('kind' in step) {
          store.drop(step);
          expect(held()).toEqual(before.filter((grant) => !dependsOn(grant, step)));
        } else {
          const { id } = step.token;
          const shared = store.keep(id, step);
          expect(shared).toEqual(step);
          kept.set(id, shared);
        }
        expectIndexed(indexes.byUser, held(), ({ user }) => user.id);
        expectIndexed(indexes.byAccount, held(), ({ account }) => account.id);
        expectIndexed(indexes.byKey, held(), ({ key }) => key.id);
        expect(held().length).toBeLessThanOrEqual(6);
      }
    }),
  );
});

test('grants share the parts that are equal, and only those', () => {
  const store = createGrantStore(
    { entries: 10, bytes: 100_000 },
    { byUser: new Map(), byAccount: new Map(), byKey: new Map() },
  );
  const keep = (id: string, changed: Partial<Grant> = {}) =>
    store.keep(id as TokenId, { ...aGrant({ tokenId: id as TokenId }), ...changed });
  const first = keep('first');
  const second = keep('second');
  expect(second.user).toBe(first.user);
  expect(second.account).toBe(first.account);
  expect(second.key).toBe(first.key);
  expect(second.token.scopes).toBe(first.token.scopes);

  const account = { ...first.account, name: 'Acme Ltd' };
  expect(keep('third', { account }).account).toEqual(account);
  // The one that came last went since: then there is nothing to share, and no harm.
  store.drop({ kind: 'token', id: 'third' as TokenId });
  expect(keep('fourth').account).toEqual(first.account);
});
