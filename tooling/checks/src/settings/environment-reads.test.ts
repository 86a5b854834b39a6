import { serverSettings } from '@gatehouse/server/settings';
import { expect, test } from 'vitest';
import { environmentReads, namesRead } from './environment-reads.ts';
import { OTHER_VARIABLES } from './other-variables.ts';

/** Sources that pass all variables to code that this check reads as well. */
const PASS_ON = ['apps/cli/src/run-process.ts', 'apps/server/src/run.ts'];

const reads = environmentReads();

test('the page of settings has each variable that a shipped program reads', () => {
  const names = reads.flatMap((each) => each.names).filter((name) => !(name in serverSettings));
  expect([...new Set(names)].toSorted()).toEqual(Object.keys(OTHER_VARIABLES).toSorted());
});

test('each shipped source that mentions process.env reads a name, or passes all on', () => {
  const unclear = reads.filter(({ names, mentions }) => mentions && names.length === 0);
  expect(unclear.map(({ path }) => path).toSorted()).toEqual(PASS_ON);
});

test.each([
  ["const mode = process.env.PGSSLMODE || 'disable';", ['PGSSLMODE']],
  ["process.env['TZ']", ['TZ']],
  ["const { NO_COLOR = '', TERM } = process.env;", ['NO_COLOR', 'TERM']],
  ['function isPlain({ TERM, CI }: NodeJS.ProcessEnv) {', ['TERM', 'CI']],
  ['const { DATABASE_URL } = environment;', ['DATABASE_URL']],
  ["option.env('GATEHOUSE_AS')", ['GATEHOUSE_AS']],
  ['delete env.NODE_OPTIONS;', ['NODE_OPTIONS']],
  ['const env = { ...process.env };', []],
])('%s reads %j', (source, names) => {
  expect(namesRead(source)).toEqual(names);
});
