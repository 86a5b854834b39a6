import { expect, test } from 'vitest';
import { anEvent, aTokenRecord, START } from '../../testing/index.ts';
import type { Account } from '../accounts/account.ts';
import type { AuditEvent } from '../audit/audit-event.ts';
import type { User, UserId } from '../users/user.ts';
import { ALL_NOTICES } from './notice-preferences.ts';
import { recipientsOf, wantsNotice } from './recipients.ts';

const anAccount = (parts: Partial<Account> = {}): Account => ({ ...aTokenRecord().account, ...parts });
const aUser = (parts: Partial<User>): User => ({ ...aTokenRecord().user, ...parts });

const ada = aUser({ id: 1 as UserId, role: 'admin' });
const bo = aUser({ id: 2 as UserId, role: 'admin' });
const mia = aUser({ id: 3 as UserId, role: 'member' });
const robot = aUser({ id: 4 as UserId, kind: 'service' });
const SYSTEM = { kind: 'system' } as const;

const told = (event: Partial<AuditEvent>, about?: User, responsible?: User) =>
  recipientsOf(anEvent({ actor: SYSTEM, ...event }), { about, responsible, admins: [ada, bo] });

test('the owner of a token is told of it', () => {
  expect(told({ action: 'token.expires_soon' }, mia)).toEqual([mia]);
});

test('the person who answers for a service account is told of its tokens, or the admins if none does', () => {
  expect(told({ action: 'token.expires_soon' }, robot, ada)).toEqual([ada]);
  expect(told({ action: 'token.expires_soon' }, robot, mia)).toEqual([ada, bo]);
  expect(told({ action: 'token.expires_soon' }, robot, { ...ada, disabledAt: START })).toEqual([ada, bo]);
  expect(told({ action: 'token.expires_soon' }, robot)).toEqual([ada, bo]);
});

test('the admins are told of the account', () => {
  expect(told({ action: 'policy.exceeded' })).toEqual([ada, bo]);
});

test('no one is told of what they did, except if it is about their own sign-in', () => {
  const actor = { kind: 'user', id: mia.id } as const;
  expect(told({ action: 'token.revoked', actor }, mia)).toEqual([]);
  expect(told({ action: 'user.password_set', actor }, mia)).toEqual([mia]);
  expect(told({ action: 'webhook.disabled', actor: { kind: 'user', id: ada.id } })).toEqual([bo]);
});

test('a person is told of what an operator did in the name of the person', () => {
  const actor = { kind: 'operator', name: 'root', for: mia.id } as const;
  expect(told({ action: 'token.revoked', actor }, mia)).toEqual([mia]);
});

test('no one is told of a service account as a user, of an unknown user, or of other events', () => {
  expect(told({ action: 'user.role_set' }, robot, ada)).toEqual([]);
  expect(told({ action: 'token.unused' })).toEqual([]);
  expect(told({ action: 'token.created' }, mia)).toEqual([]);
  expect(told({ action: 'toString.valueOf' }, mia)).toEqual([]);
});

test('a person can turn off everything except messages about the own sign-in', () => {
  const account = anAccount();
  const nothing = { tokens: false, account: false };
  const wants = (action: AuditEvent['action'], user: User, preferences = nothing) =>
    wantsNotice({ action }, { user, account, preferences });
  expect(wants('token.unused', mia)).toBe(false);
  expect(wants('webhook.disabled', ada, ALL_NOTICES)).toBe(true);
  // The person was an admin when the event happened.
  expect(wants('webhook.disabled', mia, ALL_NOTICES)).toBe(false);
  expect(wants('token.unused', mia, ALL_NOTICES)).toBe(true);
  expect(wants('policy.exceeded', ada)).toBe(false);
  expect(wants('policy.exceeded', ada, { tokens: false, account: true })).toBe(true);
  expect(wants('user.password_set', mia)).toBe(true);
});

test('a disabled person and one of a suspended account get nothing', () => {
  const parts = { account: anAccount(), preferences: ALL_NOTICES };
  const event = { action: 'user.password_set' } as const;
  expect(wantsNotice(event, { ...parts, user: { ...mia, disabledAt: START } })).toBe(false);
  const account = anAccount({ suspendedAt: START });
  expect(wantsNotice(event, { ...parts, account, user: mia })).toBe(false);
});
