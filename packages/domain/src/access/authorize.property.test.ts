import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AccountId } from '../accounts/account.ts';
import { BUILT_IN, createCatalog } from '../resources/index.ts';
import { ROLES, type UserId } from '../users/user.ts';
import { authorize } from './authorize.ts';
import { IN_PERSON, type Principal } from './caller.ts';

const { rules, scopes } = createCatalog(BUILT_IN);

const account = fc.integer({ min: 1, max: 3 }).map((id) => id as AccountId);
const principal = fc.record<Principal>({
  kind: fc.constant('user'),
  userId: fc.constant(7 as UserId),
  accountId: account,
  role: fc.constantFrom(...ROLES),
  scopes: fc.oneof(fc.constant(IN_PERSON), fc.subarray([...scopes])),
  origin: fc.constant('test'),
});
const resource = fc.record({ accountId: account, isMember: fc.boolean() });

test('fewer scopes, a lower role or another account never allow more', () => {
  fc.assert(
    fc.property(principal, resource, fc.constantFrom(...rules), (caller, target, rule) => {
      if (!authorize(caller, rule, target).ok) return;
      const inPerson: Principal = { ...caller, scopes: IN_PERSON, role: 'admin' };
      expect(authorize(inPerson, rule, target).ok).toBe(true);
      expect(target.accountId).toBe(caller.accountId);
    }),
    { numRuns: 2000 },
  );
});
