import { expect, test } from 'vitest';
import type { AccountId } from '../accounts/account.ts';
import { BUILT_IN, createCatalog } from '../resources/index.ts';
import type { UserId } from '../users/user.ts';
import { authorize } from './authorize.ts';
import { type Caller, IN_PERSON, type Operator, type Principal } from './caller.ts';
import { READ_TOKENS, REVOKE_TOKENS, type Rule } from './rules.ts';

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
