import { expect, expectTypeOf, test, vi } from 'vitest';
import type { AccountId } from '../accounts/account.ts';
import * as accounts from '../accounts/index.ts';
import * as audit from '../audit/index.ts';
import * as extensions from '../extensions/index.ts';
import * as health from '../health/index.ts';
import * as links from '../links/index.ts';
import * as mail from '../mail/index.ts';
import * as organizations from '../organizations/index.ts';
import * as reactions from '../reactions/index.ts';
import { BUILT_IN, createCatalog } from '../resources/index.ts';
import { err } from '../result.ts';
import * as secondFactor from '../second-factor/index.ts';
import * as services from '../services/index.ts';
import * as sessions from '../sessions/index.ts';
import * as signIn from '../sign-in/index.ts';
import * as signingKeys from '../signing-keys/index.ts';
import * as suggestions from '../suggestions/index.ts';
import * as tokenPolicy from '../token-policy/index.ts';
import { refused } from '../tokens/authentication/authenticate-token.ts';
import * as tokens from '../tokens/index.ts';
import * as users from '../users/index.ts';
import type { UserId } from '../users/user.ts';
import * as webhooks from '../webhooks/index.ts';
import { authorize, authorized } from './authorize.ts';
import { type Caller, IN_PERSON, type Operator, type Principal } from './caller.ts';
import { READ_ME, READ_TOKENS, REVOKE_TOKENS, type Rule, VERIFY_SCOPES } from './rules.ts';

const { rules: RULES } = createCatalog(BUILT_IN);

const OWN = { accountId: 1 as AccountId, isMember: false };
const FOREIGN = { accountId: 2 as AccountId, isMember: true };

const person = (parts: Partial<Principal> = {}): Principal => ({
  kind: 'user',
  userId: 7 as UserId,
  accountId: OWN.accountId,
  role: 'admin',
  scopes: IN_PERSON,
  origin: 'test',
  ...parts,
});
const operator: Operator = { kind: 'operator', name: 'root', origin: 'test' };

const verdict = (caller: Caller, rule: Rule, resource?: typeof OWN) => {
  const decision = authorize(caller, rule, resource);
  return decision.ok ? 'allowed' : decision.error.code;
};
const allowedTo = (caller: Caller) =>
  RULES.filter((rule) => verdict(caller, rule) === 'allowed').map(({ name }) => name);

/** The names of the rules with these conditions. */
const namesOf = (fits: (rule: Rule) => boolean) => RULES.filter(fits).map(({ name }) => name);

test('an admin in person may do everything but what is for the operator alone', () => {
  expect(allowedTo(person())).toEqual(namesOf(({ users }) => users !== 'none'));
});

test('a member in person may do what is for all users or for members', () => {
  const expected = namesOf(({ users }) => users === 'all' || users === 'members');
  expect(allowedTo(person({ role: 'member' }))).toEqual(expected);
});

test('no token manages tokens, whatever its scopes and its owner’s role: it cannot make a longer-lived one', () => {
  const allowed = allowedTo(person({ scopes: ['*'] }));
  expect(allowed).toEqual(namesOf(({ scope, users }) => scope !== undefined && users !== 'none'));
  expect(allowed.filter((name) => name.startsWith('tokens:'))).toEqual([]);
});

test('a token can do what its scopes allow', () => {
  // For `services:verify`, the request names the scope, and the use case decides.
  const always = ['services:verify'];
  expect(allowedTo(person({ scopes: ['me:read'] }))).toEqual(['me:read', ...always]);
  expect(allowedTo(person({ scopes: [] }))).toEqual(always);
});

test('the operator manages everything but tokens in an admin’s name', () => {
  const allowed = allowedTo(operator);
  expect(allowed).toEqual(namesOf(({ operator: isForOperator }) => isForOperator === true));
  expect(allowed.filter((name) => name.startsWith('tokens:'))).toEqual(['tokens:prune', 'tokens:read']);
});

test('a refused token is denied every action with the same error', () => {
  const refusals = RULES.map((rule) => verdict({ kind: 'refused', reason: 'revoked' }, rule));
  expect(new Set(refusals)).toEqual(new Set(['token_not_accepted']));
});

test('an admin cannot act on another account', () => {
  expect(verdict(person(), REVOKE_TOKENS, OWN)).toBe('allowed');
  expect(verdict(person(), REVOKE_TOKENS, FOREIGN)).toBe('not_found');
  expect(verdict(person(), READ_TOKENS, FOREIGN)).toBe('not_found');
});

/** The names of exports that make a function whose first parameter takes a user or the operator. */
type UseCaseNames<Exports> = {
  [Name in keyof Exports]: Exports[Name] extends (
    ...ports: never
  ) => (caller: infer Caller, ...input: never) => unknown
    ? unknown extends Caller
      ? never
      : Principal extends Caller
        ? Name
        : Operator extends Caller
          ? Name
          : never
    : never;
}[keyof Exports];

type MadeWithout<Exports> = {
  [Name in UseCaseNames<Exports>]: Exports[Name] extends { readonly rule: unknown } ? never : Name;
}[UseCaseNames<Exports>];

const EXPORTS = {
  ...{ ...accounts, ...audit, ...extensions, ...health, ...links, ...mail, ...organizations, ...sessions },
  ...reactions,
  ...webhooks,
  ...secondFactor,
  ...{ ...services, ...signIn, ...signingKeys, ...suggestions, ...tokenPolicy, ...tokens, ...users },
};

test('every exported use case that acts for a caller is made by `authorized`', () => {
  // Runs before anything is signed, for the server's start and for `createKey`, which asks the rule itself.
  expectTypeOf<MadeWithout<typeof EXPORTS>>().toEqualTypeOf<'ensureKeys'>();
});

/** Every use case with its rule; undefined if its input decides which rule it asks. */
const USE_CASES = Object.entries(EXPORTS).flatMap(([name, made]) =>
  typeof made === 'function' && 'rule' in made
    ? [{ name, rule: typeof made.rule === 'function' ? undefined : (made.rule as Rule) }]
    : [],
);

test('each use case asks a rule that a resource lists, and each rule is asked', () => {
  expect(USE_CASES.filter(({ rule }) => rule === undefined).map(({ name }) => name)).toEqual(['suggest']);
  const asked = new Set(USE_CASES.flatMap(({ rule }) => rule ?? []));
  // `getMe` and `verifyScope` answer from the record of the token, and ask their rules themselves.
  expect([...asked, READ_ME, VERIFY_SCOPES].map(({ name }) => name).toSorted()).toEqual(
    namesOf(() => true).toSorted(),
  );
});

test('tokens and members reach these use cases only', () => {
  const reachedBy = (caller: Caller) =>
    USE_CASES.filter(({ rule }) => rule && verdict(caller, rule) === 'allowed').map(({ name }) => name);
  const ofTokens = reachedBy(person({ scopes: ['*'] }));
  expect(ofTokens.toSorted()).toEqual(['getOrganization', 'listReadableOrganizations']);
  const ofMembers = [
    ...['beginEnrolment', 'changeOwnPassword', 'checkToken', 'confirmEnrolment', 'confirmPassword'],
    ...['endOtherSessions', 'endOwnSession', 'endSession', 'findEnrolment', 'findLastPasswordReset'],
    ...['getOrganization', 'listAdmins', 'listOwnOrganizations', 'listOwnSessions'],
    ...['listReadableOrganizations', 'newRecoveryCodes', 'removeOwnSecondFactor', 'renameSelf'],
    ...['setNoticePreferences'],
    ...[
      'showAccount',
      'showNoticePreferences',
      'showOrganization',
      'showOwnSecondFactor',
      'showSecondFactorPolicy',
    ],
  ];
  expect(reachedBy(person({ role: 'member' })).toSorted()).toEqual(ofMembers);
});

test('a caller that the rule denies never reaches the use case', async () => {
  const act = vi.fn(async () => 'done');
  const useCase = authorized(READ_ME, () => act)({});
  expect(await useCase(refused('revoked'))).toEqual(err({ code: 'token_not_accepted' }));
  expect(act).not.toHaveBeenCalled();
});

test('a use case made without it is found', () => {
  const made = authorized(READ_ME, () => async () => 'done');
  const forgotten = () => async (caller: Principal) => caller.origin;
  expectTypeOf<
    MadeWithout<{ made: typeof made; forgotten: typeof forgotten }>
  >().toEqualTypeOf<'forgotten'>();
});
