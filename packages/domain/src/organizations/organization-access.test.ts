import { expect, test } from 'vitest';
import { type AccessFacts, accessTable, TOKEN_VERDICTS } from '../../testing/index.ts';

/** The specification in its own words, so that the code is held against something other than itself. */
function specified({ token, scopes, role, organization, member }: AccessFacts): string {
  if (token !== 'accepted') return 'token_not_accepted';
  if (scopes === 'me:read') return 'insufficient_scope';
  if (organization === 'absent' || organization === 'another account') return 'not_found';
  if (role === 'admin') return 'allowed';
  return member ? 'allowed' : 'not_allowed';
}

const table = accessTable();

test('the table is complete: it has every combination of the facts once', () => {
  expect(table).toHaveLength(TOKEN_VERDICTS.length * 3 * 2 * 3 * 2);
  expect(new Set(table.map(({ verdict: _, ...facts }) => JSON.stringify(facts))).size).toBe(table.length);
});

test.each(TOKEN_VERDICTS)('every row of a token that is %s has the verdict that is specified', (token) => {
  const rows = table.filter((row) => row.token === token);
  expect(rows.map((row) => row.verdict)).toEqual(rows.map(specified));
});

test('another account’s organization cannot be distinguished from one that does not exist', () => {
  const verdicts = (organization: AccessFacts['organization']) =>
    table.filter((row) => row.organization === organization).map((row) => row.verdict);
  expect(verdicts('another account')).toEqual(verdicts('absent'));
});
