import fc from 'fast-check';
import { expect, test } from 'vitest';
import { aPerson, aProvider, START } from '../../testing/index.ts';
import type { AccountId } from '../accounts/account.ts';
import type { Email, Role, User, UserId } from '../users/index.ts';
import type { KnownUser, PersonFacts } from './person-facts.ts';
import { whoSignsIn } from './who-signs-in.ts';

const ADDRESSES = ['ada@acme.example', 'ADA@acme.example', '\uff41da@acme.example', 'ada@else.example'];
const accountId = fc.constantFrom(1 as AccountId, 2 as AccountId);
const instant = fc.option(fc.constant(START));
const role = fc.constantFrom<Role>('admin', 'member');

const knownUser: fc.Arbitrary<KnownUser> = fc
  .record({
    id: fc.constantFrom(10 as UserId, 11 as UserId),
    accountId,
    email: fc.constantFrom(...(ADDRESSES as Email[])),
    disabledAt: instant,
    suspendedAt: instant,
    emailProvedAt: instant,
    isBreakGlass: fc.boolean(),
    hasOtherIdentity: fc.boolean(),
    role,
  })
  .map(({ suspendedAt, emailProvedAt, isBreakGlass, hasOtherIdentity, ...parts }) => {
    const user: User = {
      kind: 'person',
      name: 'Ada',
      createdAt: START,
      confirmedUntil: null,
      ...parts,
    };
    const account = { id: parts.accountId, name: 'Acme', createdAt: START, suspendedAt };
    return { user, account, emailProvedAt, isBreakGlass, hasOtherIdentity };
  });

const facts: fc.Arbitrary<PersonFacts> = fc.record({
  linked: fc.option(knownUser, { nil: undefined }),
  byEmail: fc.option(knownUser, { nil: undefined }),
  isEmailTaken: fc.boolean(),
  own: fc.constant(undefined),
  invitation: fc.constant(undefined),
  newIn: fc.option(
    fc.record({
      id: accountId,
      name: fc.constant('Acme'),
      createdAt: fc.constant(START),
      suspendedAt: instant,
    }),
    { nil: undefined },
  ),
});

const values = fc.subarray(['staff', 'boss', 'Boss', 'x']);
const person = fc
  .record({
    email: fc.option(fc.constantFrom(...ADDRESSES)),
    isEmailVerified: fc.boolean(),
    roleValues: fc.oneof(values, fc.constant(null), fc.constant('too-many' as const)),
  })
  .map((parts) => aPerson(parts));

const rules = fc.array(fc.record({ value: fc.constantFrom('staff', 'boss'), role }));
const provider = fc
  .record({
    accounts: fc.uniqueArray(accountId, { minLength: 1 }),
    linkByEmailOf: fc.subarray(['acme.example']),
    createUsersIn: fc.option(accountId),
    roles: fc.option(rules.map((each) => ({ claim: 'groups', rules: each }))),
  })
  .map((parts) => aProvider(parts));

test('a person who signs in passes every condition, and each refusal has a failed one', () => {
  fc.assert(
    fc.property(provider, person, facts, (at, who, known) => {
      const decided = whoSignsIn(at, who, known);
      const given = at.roles?.rules.filter(({ value }) => who.roleValues?.includes(value)) ?? [];
      const isListed = at.linkByEmailOf.includes(who.email?.split('@')[1] ?? '');
      if (decided.outcome === 'known') {
        const found = decided.isNewLink ? known.byEmail : known.linked;
        expect(decided.user).toBe(found?.user);
        expect(decided.isNewLink).toBe(known.linked === undefined);
        expect(found).toMatchObject({
          user: { disabledAt: null },
          account: { suspendedAt: null },
          isBreakGlass: false,
        });
        expect(at.accounts).toContain(decided.user.accountId);
        if (decided.isNewLink) {
          expect([isListed, who.isEmailVerified, found?.hasOtherIdentity]).toEqual([true, true, false]);
          expect(found?.emailProvedAt).not.toBeNull();
          expect(decided.user.email.toLowerCase()).toBe(who.email?.toLowerCase());
        }
        if (at.roles === null) expect(decided.role).toBeNull();
      }
      if (decided.outcome === 'new') {
        expect(known.linked).toBeUndefined();
        expect([who.isEmailVerified, known.isEmailTaken]).toEqual([true, false]);
        expect(decided.accountId).toBe(at.createUsersIn);
        expect(at.accounts).toContain(decided.accountId);
        expect(known.newIn?.suspendedAt).toBeNull();
        if (isListed) expect(known.byEmail).toBeUndefined();
      }
      if (decided.outcome !== 'refused' && at.roles) {
        expect(who.roleValues).not.toBe('too-many');
        const roles = given.map((rule) => rule.role);
        expect(decided.role).toBe(roles.includes('member') ? 'member' : 'admin');
        expect(roles).toContain(decided.role);
      }
      if (decided.outcome === 'refused' && decided.endsConfirmation) {
        expect(['no_role', 'roles_left_out']).toContain(decided.reason);
        expect(decided.about).toBe(known.linked?.user);
      }
    }),
    { numRuns: 5000 },
  );
});
