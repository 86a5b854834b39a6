import pg from 'pg';
import { expect } from 'vitest';
import { type ProcessEnvironment, startCli } from './process.ts';

/**
 * Runs the command while a session of psql holds what the statements lock, until standard error contains these words.
 * Returns the session's process id, and the lines of standard error.
 */
export async function runWhileLocked(
  settings: ProcessEnvironment,
  args: readonly string[],
  { statements, until }: { readonly statements: readonly string[]; readonly until: string },
) {
  const holder = new pg.Client({ connectionString: settings.DATABASE_URL, application_name: 'psql' });
  await holder.connect();
  for (const statement of statements) await holder.query(statement);
  const { rows } = await holder.query('select pg_backend_pid() as pid');
  const { child, ended } = startCli(settings, args);
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  try {
    await expect.poll(() => said, { timeout: 30_000 }).toContain(until);
  } finally {
    await holder.end();
  }
  const { status, stderr } = await ended;
  expect(status).toBe(0);
  return { pid: rows[0].pid, lines: stderr.trimEnd().split('\n') };
}
