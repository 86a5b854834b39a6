import pg from 'pg';
import { expect, test } from 'vitest';
import { aDatabase } from '../testing/a-database.ts';
import { startCli } from '../testing/process.ts';

test('migrate names the session that it waits for while it retries, and succeeds once the lock is free', async () => {
  await using database = await aDatabase();
  const holder = new pg.Client({ connectionString: database.url, application_name: 'psql' });
  await holder.connect();
  await holder.query('begin');
  // Has the name of a table that the first migration creates.
  await holder.query('create table accounts ()');
  const { rows } = await holder.query('select pg_backend_pid() as pid');

  const { child, ended } = startCli(database.settings, ['migrate']);
  let said = '';
  child.stderr?.on('data', (chunk) => {
    said += chunk;
  });
  await expect.poll(() => said, { timeout: 30_000 }).toContain('trying again (3 of 10)');
  await holder.query('rollback');
  await holder.end();

  const { status, stderr } = await ended;
  expect(status).toBe(0);
  const lines = stderr.trimEnd().split('\n');
  expect(lines[0]).toMatch(
    new RegExp(
      `^0001-init is waiting for a lock held by process ${rows[0].pid} \\("psql", in a transaction for \\d+ s\\); trying again \\(2 of 10\\) \\.\\.\\.$`,
    ),
  );
  expect(lines.at(-1)).toBe('The schema is up to date.');
});

test('migrate names the session that holds the migration lock', async () => {
  await using database = await aDatabase();
  const holder = new pg.Client({ connectionString: database.url, application_name: 'psql' });
  await holder.connect();
  const { rows } = await holder.query('select pg_advisory_lock(7283305127), pg_backend_pid() as pid');

  const { child, ended } = startCli(database.settings, ['migrate']);
  let said = '';
  child.stderr?.on('data', (chunk) => {
    said += chunk;
  });
  try {
    await expect.poll(() => said, { timeout: 30_000 }).toContain('waiting');
  } finally {
    await holder.end();
  }

  const { status, stderr } = await ended;
  expect(status).toBe(0);
  const lines = stderr.trimEnd().split('\n');
  expect(lines[0]).toMatch(
    new RegExp(`^waiting for the migration lock held by process ${rows[0].pid} \\("psql"\\) \\.\\.\\.$`),
  );
  expect(lines.at(-1)).toBe('The schema is up to date.');
});
