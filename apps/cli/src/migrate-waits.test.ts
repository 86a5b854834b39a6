import { expect, test } from 'vitest';
import { aDatabase } from '../testing/a-database.ts';
import { runWhileLocked } from '../testing/lock-holder.ts';
import { runCli } from '../testing/process.ts';

test('migrate names the session that it waits for while it retries, and succeeds once the lock is free', async () => {
  await using database = await aDatabase();
  const { pid, lines } = await runWhileLocked(database.settings, ['migrate'], {
    // Has the name of a table that the first migration creates.
    statements: ['begin', 'create table accounts ()'],
    until: 'trying again (3 of 10)',
  });
  expect(lines[0]).toMatch(
    new RegExp(
      `^the migration 0001-init is waiting for a lock held by process ${pid} \\("psql", in a transaction for \\d+ s\\); trying again \\(2 of 10\\) \\.\\.\\.$`,
    ),
  );
  expect(lines.at(-1)).toBe('The schema is up to date.');
});

test('migrate names the session that holds the migration lock', async () => {
  await using database = await aDatabase();
  const { pid, lines } = await runWhileLocked(database.settings, ['migrate'], {
    statements: ['select pg_advisory_lock(7283305127)'],
    until: 'waiting',
  });
  expect(lines[0]).toBe(`waiting for the migration lock held by process ${pid} ("psql") ...`);
  expect(lines.at(-1)).toBe('The schema is up to date.');
});

test('of three migrations at once each succeeds, and every step is applied once', async () => {
  await using database = await aDatabase();
  const outcomes = await Promise.all([1, 2, 3].map(() => runCli(database.settings, ['migrate'])));
  expect(outcomes.map(({ status }) => status)).toEqual([0, 0, 0]);
  const applied = outcomes.flatMap(
    ({ stderr, stdout }) => `${stdout}${stderr}`.match(/^Applied .*$/gm) ?? [],
  );
  expect(applied.length).toBeGreaterThan(0);
  expect(new Set(applied).size).toBe(applied.length);
  expect(await runCli(database.settings, ['migrate'])).toMatchObject({ status: 0 });
});
