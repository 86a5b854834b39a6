import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AccountId } from '../accounts/account.ts';
import { ROLES, type UserId } from '../users/user.ts';
import { authorize } from './authorize.ts';
import { IN_PERSON, type Principal } from './caller.ts';
import { READ_ORGANIZATION, RULES } from './rules.ts';
import { SCOPES } from './scope.ts';

const account = fc.integer({ min: 1, max: 3 }).map((id) => id as AccountId);
const principal = fc.record<Principal>({
  kind: fc.constant('user'),
  userId: fc.constant(7 as UserId),
  accountId: account,
  role: fc.constantFrom(...ROLES),
  scopes: fc.oneof(fc.constant(IN_PERSON), fc.subarray([...SCOPES])),
  origin: fc.constant('test'),
});
const resource = fc.record({ accountId: account, isMember: fc.boolean() });

test('an organization is read by admins and members of its own account whose scopes allow it, and no one else', () => {
  fc.assert(
    fc.property(principal, resource, (caller, organization) => {
      const { scopes } = caller;
      const scoped = scopes === IN_PERSON || scopes.includes('*') || scopes.includes('orgs:read');
      const sees = caller.role === 'admin' || organization.isMember;
      const allowed = scoped && sees && organization.accountId === caller.accountId;
      expect(authorize(caller, READ_ORGANIZATION, organization).ok).toBe(allowed);
    }),
    { numRuns: 2000 },
  );
});

test('fewer scopes, a lower role or another account never allow more', () => {
  fc.assert(
    fc.property(principal, resource, fc.constantFrom(...RULES), (caller, target, rule) => {
      if (!authorize(caller, rule, target).ok) return;
      const inPerson: Principal = { ...caller, scopes: IN_PERSON, role: 'admin' };
      expect(authorize(inPerson, rule, target).ok).toBe(true);
      expect(target.accountId).toBe(caller.accountId);
    }),
    { numRuns: 2000 },
  );
});
