import { expect, expectTypeOf, test, vi } from 'vitest';
import type { AccountId } from '../accounts/account.ts';
import * as accounts from '../accounts/index.ts';
import * as audit from '../audit/index.ts';
import * as extensions from '../extensions/index.ts';
import * as health from '../health/index.ts';
import * as organizations from '../organizations/index.ts';
import { BUILT_IN, createCatalog } from '../resources/index.ts';
import { err } from '../result.ts';
import * as sessions from '../sessions/index.ts';
import * as signIn from '../sign-in/index.ts';
import * as signingKeys from '../signing-keys/index.ts';
import * as suggestions from '../suggestions/index.ts';
import { refused } from '../tokens/authentication/authenticate-token.ts';
import * as tokens from '../tokens/index.ts';
import * as users from '../users/index.ts';
import type { UserId } from '../users/user.ts';
import { authorize, authorized } from './authorize.ts';
import { type Caller, IN_PERSON, type Operator, type Principal } from './caller.ts';
import { READ_ME, READ_TOKENS, REVOKE_TOKENS, type Rule } from './rules.ts';

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

test('an admin in person manages tokens, and reads', () => {
  expect(allowedTo(person())).toEqual([
    'admins:read',
    'password:own',
    'me:read',
    'orgs:read',
    'tokens:issue',
    'tokens:revoke',
    'tokens:rotate',
    'tokens:update',
    'tokens:read',
    'sessions:own',
    'audit:read-own',
  ]);
});

test('a member in person only reads, and manages what is their own', () => {
  expect(allowedTo(person({ role: 'member' }))).toEqual([
    'admins:read',
    'password:own',
    'me:read',
    'orgs:read',
    'sessions:own',
  ]);
});

test('no token manages tokens, whatever its scopes and its owner’s role: it cannot make a longer-lived one', () => {
  expect(allowedTo(person({ scopes: ['*'] }))).toEqual(['me:read', 'orgs:read']);
});

test('a token can do what its scopes allow', () => {
  expect(allowedTo(person({ scopes: ['me:read'] }))).toEqual(['me:read']);
  expect(allowedTo(person({ scopes: [] }))).toEqual([]);
});

test('the operator manages everything but tokens in an admin’s name', () => {
  expect(allowedTo(operator)).toEqual([
    'accounts:manage',
    'users:manage',
    'orgs:manage',
    'tokens:read',
    'tokens:prune',
    'keys:manage',
    'extensions:manage',
    'audit:read',
    'audit:export',
    'audit:prune',
    'audit:reapply',
    'health:read',
  ]);
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
  ...{ ...accounts, ...audit, ...extensions, ...health, ...organizations, ...sessions },
  ...{ ...signIn, ...signingKeys, ...suggestions, ...tokens, ...users },
};

test('every exported use case that acts for a caller is made by `authorized`', () => {
  // Runs before anything is signed, for the server's start and for `createKey`, which asks the rule itself.
  expectTypeOf<MadeWithout<typeof EXPORTS>>().toEqualTypeOf<'ensureKeys'>();
});

test('each use case asks its rule', () => {
  const useCases = Object.entries(EXPORTS).flatMap(([name, made]) =>
    typeof made === 'function' && 'rule' in made ? [{ name, rule: made.rule }] : [],
  );
  const asking = createCatalog(BUILT_IN).rules.map((asked) => {
    const names = useCases
      .filter(({ rule }) => rule === asked)
      .map(({ name }) => name)
      .toSorted();
    return `${asked.name}: ${names.join(', ')}`;
  });
  expect(asking.join('\n')).toMatchInlineSnapshot(`
    "accounts:manage: createAccount, findAccountBelongings, findAccountUse, listAccounts, resumeAccount, suspendAccount
    users:manage: createUser, disableUser, enableUser, findLiveTokens, findUser, listUsers, setPassword, setRole
    admins:read: listAdmins
    password:own: changeOwnPassword
    me:read: 
    orgs:read: getOrganization
    orgs:manage: addMember, createOrganization, deleteOrganization, findBelongings, findOrganization, listOrganizations, removeMember, updateOrganization
    tokens:issue: issueToken
    tokens:revoke: identifyToken, revokeToken
    tokens:rotate: rotateToken
    tokens:update: updateToken
    tokens:read: findTokenByReference, findTokensNeedingAttention, inspectToken, listAccountTokens, listTokens, showToken, showTokenPage, showTokenUse, watchTokenUse, watchTokens
    tokens:prune: countPrunableTokens, pruneTokens
    sessions:own: confirmPassword, endOtherSessions, endOwnSession, endSession, listOwnSessions
    keys:manage: activateKey, createKey, listKeys, retireKey, rewrapKeys, showKey
    extensions:manage: dropExtensionTables, findExtensionTables
    audit:read: listAuditEvents, verifyAuditLog
    audit:read-own: listAccountAuditEvents
    audit:export: exportAuditEvents
    audit:prune: pruneAuditEvents
    audit:reapply: reapplyAuditEvents
    health:read: checkHealth"
  `);
  const { rules } = createCatalog(BUILT_IN);
  const unlisted = useCases.filter(({ rule }) => typeof rule !== 'function' && !rules.includes(rule as Rule));
  expect(unlisted, 'rules that no resource lists').toEqual([]);
  const byInput = useCases.filter(({ rule }) => typeof rule === 'function').map(({ name }) => name);
  expect(byInput).toEqual(['suggest']);
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
