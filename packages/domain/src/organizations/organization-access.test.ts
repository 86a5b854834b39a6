import { expect, test, vi } from 'vitest';
import {
  type AccessFacts,
  accessTable,
  COMBINATIONS,
  createWorld,
  TOKEN_VERDICTS,
} from '../../testing/index.ts';
import { defineRule, type Rule } from '../access/index.ts';
import type { AccountId } from '../accounts/index.ts';
import { err } from '../result.ts';
import { refused } from '../tokens/index.ts';
import type { UserId } from '../users/index.ts';
import type { OrganizationId } from './organization.ts';
import { getOrganization } from './organization-access.ts';

/** The specification in its own words, so that the code is held against something other than itself. */
function specified({ token, scopes, role, organization, member }: AccessFacts, users: Rule['users']): string {
  if (token === 'network_not_allowed') return token;
  if (token !== 'accepted') return 'token_not_accepted';
  if (scopes === 'me:read') return 'insufficient_scope';
  if (users === 'none' || (users === 'admins' && role === 'member')) return 'not_allowed';
  if (organization === 'absent' || organization === 'another account') return 'not_found';
  if (role === 'admin' || users === 'all') return 'allowed';
  return member ? 'allowed' : 'not_allowed';
}

const table = accessTable();

test('the table is complete: it has every combination of the facts once', () => {
  expect(table).toHaveLength(COMBINATIONS);
  expect(new Set(table.map(({ verdict: _, ...facts }) => JSON.stringify(facts))).size).toBe(table.length);
});

test.each(TOKEN_VERDICTS)('every row of a token that is %s has the verdict that is specified', (token) => {
  const rows = table.filter((row) => row.token === token);
  expect(rows.map((row) => row.verdict)).toEqual(rows.map((row) => specified(row, 'members')));
});

test.each(['all', 'members', 'admins', 'none'] as const)(
  'a rule for %s of what stands under an organization has the verdicts that are specified, and none without a scope',
  (users) => {
    const scope = 'shift-notes:read';
    const rows = accessTable(defineRule('shift-notes:read', { scope, users }), ['*', scope, 'me:read']);
    expect(rows.map(({ verdict }) => verdict)).toEqual(rows.map((row) => specified(row, users)));
    const inPersonOnly = accessTable(defineRule('shift-notes:manage', { users }), ['*', scope]);
    expect(new Set(inPersonOnly.map(({ verdict }) => verdict))).toEqual(
      new Set(['network_not_allowed', 'not_allowed', 'token_not_accepted']),
    );
  },
);

test('another account’s organization cannot be distinguished from one that does not exist', () => {
  const verdicts = (organization: AccessFacts['organization']) =>
    table.filter((row) => row.organization === organization).map((row) => row.verdict);
  expect(verdicts('another account')).toEqual(verdicts('absent'));
});

test('an organization is read only for a caller that the rule does not deny before', async () => {
  const { organizations } = await createWorld();
  const read = vi.spyOn(organizations, 'findForUser');
  const get = getOrganization({ organizations });
  const id = 1 as OrganizationId;
  const user = {
    kind: 'user',
    userId: 1 as UserId,
    accountId: 1 as AccountId,
    role: 'admin',
    origin: '',
  } as const;
  expect(await get(refused('no_token'), id)).toEqual(err({ code: 'token_not_accepted' }));
  expect(await get({ ...user, scopes: ['me:read'] }, id)).toEqual(
    err({ code: 'insufficient_scope', scope: 'orgs:read' }),
  );
  expect(read).not.toHaveBeenCalled();
  expect(await get({ ...user, scopes: ['orgs:read'] }, id)).toEqual(err({ code: 'not_found' }));
  expect(read).toHaveBeenCalledOnce();
});
