import type { AccountId } from '@gatehouse/domain/accounts';
import type { Change } from '@gatehouse/domain/changes';
import type { OrganizationId } from '@gatehouse/domain/organizations';
import type { KeyId } from '@gatehouse/domain/signing-keys';
import { aTokenRecord } from '@gatehouse/domain/testing';
import type { TokenId, TokenRecord } from '@gatehouse/domain/tokens';
import type { UserId } from '@gatehouse/domain/users';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { addTo, idsOf } from './token-index.ts';
import { createTokenRecordStore } from './token-record-store.ts';

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
