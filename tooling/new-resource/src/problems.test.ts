import { shiftNotes } from '@gatehouse/shift-notes';
import { expect, test } from 'vitest';
import { claimsOfCopy, takenClaims } from './claims.ts';
import { parseOptions, RefusedError } from './options.ts';
import { planResource } from './plan.ts';
import { placesOf } from './report.ts';

const ofOrganization = ['--belongs-to', 'organization'];

/** Why a resource of that name is refused. */
async function refusalOf(...args: readonly string[]): Promise<string> {
  try {
    const options = parseOptions([...args, ...ofOrganization]);
    if (options) await planResource(options.names);
  } catch (error) {
    if (error instanceof RefusedError) return error.message;
    throw error;
  }
  return 'none';
}

test.each([
  'Work-Order',
  'workOrder',
  'work_order',
  'work order',
  '-work',
  'work--order',
  'work-order-',
  '../work-order',
  'a-1',
  'wörk',
  '',
])('the name %j is refused by its spelling', async (name) => {
  // The parser takes a word that begins with a dash for an option.
  expect(await refusalOf('--', name)).toMatch(
    /not in lower case with dashes: such as [a-z-]+\.$|Unknown|Name one/,
  );
});

test.each([
  ['workOrder', 'work-order'],
  ['Work Order', 'work-order'],
  ['work_order', 'work-order'],
])('%j would be right as %s', async (name, right) => {
  expect(await refusalOf(name)).toBe(`"${name}" is not in lower case with dashes: such as ${right}.`);
});

test.each([
  ['org', 'The resource orgs is taken.'],
  ['org', 'The scope orgs:read is taken.'],
  ['token', 'The rule tokens:read is taken.'],
  ['token', 'The audit subject token is taken.'],
  ['token', 'The command token is taken.'],
  ['doctor', 'The command doctor is taken.'],
  ['help', 'The command help is taken.'],
  ['since', 'The option --since of audit list is taken.'],
  ['session', 'The table sessions is taken.'],
  ['org', 'The operation getOrg is taken.'],
  ['organization', 'The schema Organization is taken.'],
  ['fault', 'The package @gatehouse/faults is taken.'],
  ['shift-note', 'The package @gatehouse/shift-notes is taken.'],
  ['case', 'case is a word of TypeScript.'],
  ['function', 'function is a word of TypeScript.'],
  ['reference', 'references is a word of PostgreSQL.'],
  ['page', 'page is what the copied code calls something else.'],
  ['status', 'status is what the copied code calls something else.'],
])('%s is refused: %s', async (name, problem) => {
  const plural = name === 'status' ? ['--plural', 'statuses'] : [];
  const refusal = await refusalOf(name, ...plural);
  expect(refusal.split('\n')).toContain(problem);
  expect(refusal).toContain(`Choose another name, such as team-${name}.`);
});

test('a name that is too long, one that is its own plural, and several instead of one are refused', async () => {
  expect(await refusalOf('a'.repeat(40))).toContain('at most 40 characters');
  expect(await refusalOf('a'.repeat(39))).toBe('none');
  expect(await refusalOf('sheep', '--plural', 'sheep')).toContain('--plural sheep-list');
  expect(await refusalOf('work-orders')).toContain('Name one, such as work-order');
});

test.each([
  [['work-order'], 'Say what it belongs to: organization is the only parent'],
  [
    ['work-order', '--belongs-to', 'account'],
    'It cannot belong to "account": organization is the only parent',
  ],
  [[...ofOrganization], 'Name one resource'],
  [['work-order', 'other', ...ofOrganization], 'Name one resource'],
  [['work-order', '--force', ...ofOrganization], "Unknown option '--force'"],
])('%j is refused: %s', (args, problem) => {
  expect(() => parseOptions(args)).toThrow(problem);
});

test('the word of another extension on the command line is taken, whatever the extension is called', async () => {
  const other = { ...shiftNotes, command: { name: 'unused-name', summary: 'Manage the work of a shift' } };
  const taken = await takenClaims([other]);
  const claims = await claimsOfCopy({ one: 'unused-name', several: 'unused-names' });
  expect(claims.filter((claim) => taken.has(claim))).toEqual(['command unused-name']);
});

test('the places that make a copy one’s own are files of the copy', async () => {
  const { names, made } = await planResource({ one: 'unused-name', several: 'unused-names' });
  const places = Object.keys(placesOf(names));
  expect(places).toHaveLength(6);
  for (const path of places) expect([...made.keys()]).toContain(`packages/unused-names/${path}`);
});
