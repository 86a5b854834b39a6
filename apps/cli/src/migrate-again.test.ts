import pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { aDatabase } from '../testing/a-database.ts';
import { type ProcessEnvironment, runCli, startCli } from '../testing/process.ts';

/** The schema in every detail. */
const SCHEMA = `
  select format('%s %s %s %s %s', table_name, ordinal_position, column_name, data_type, column_default) as part
    from information_schema.columns where table_schema = 'public'
  union all select indexdef from pg_indexes where schemaname = 'public'
  union all select conname || pg_get_constraintdef(oid) from pg_constraint where connamespace = 'public'::regnamespace
  union all select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
  union all select prosrc from pg_proc where pronamespace = 'public'::regnamespace
  order by part`;

async function schemaOf(url: string): Promise<readonly unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(SCHEMA)).rows;
  } finally {
    await client.end();
  }
}

const appliedIn = (text: string) => text.match(/^Applied /gm)?.length ?? 0;

/** Kills `migrate` as soon as it says that so many migrations are applied. Resolves with how many it said. */
async function killAfter(count: number, settings: ProcessEnvironment): Promise<number> {
  const { child, ended } = startCli(settings, ['migrate']);
  let said = '';
  child.stderr.on('data', (data: Buffer) => {
    said += data;
    if (appliedIn(said) >= count) child.kill('SIGKILL');
  });
  const { status, stderr } = await ended;
  expect(status, stderr).toBe(137);
  return appliedIn(stderr);
}

const migrate = (settings: ProcessEnvironment) => runCli(settings, ['migrate', '--json']);

/** The migrations that a run applied, of those that it was asked for. */
const appliedBy = ({ stdout }: { stdout: string }): readonly string[] => JSON.parse(stdout).applied;

describe('migrate, as a job that a platform starts', () => {
  let whole: readonly unknown[];
  let all: readonly string[];
  beforeAll(async () => {
    await using database = await aDatabase();
    all = appliedBy(await migrate(database.settings));
    whole = await schemaOf(database.url);
  });

  test('does nothing when it runs again', async () => {
    await using database = await aDatabase();
    expect(appliedBy(await migrate(database.settings))).toEqual(all);
    expect(appliedBy(await migrate(database.settings))).toEqual([]);
    expect(await schemaOf(database.url)).toEqual(whole);
  });

  test.each([1, 4, 8])('killed after %d migrations, is completed by two that run at once', async (count) => {
    await using database = await aDatabase();
    expect(await killAfter(count, database.settings)).toBeGreaterThanOrEqual(count);
    const outcomes = await Promise.all([migrate(database.settings), migrate(database.settings)]);
    expect(outcomes).toMatchObject([{ status: 0 }, { status: 0 }]);
    // Each is applied once, and none that was said to be applied before.
    const rest = outcomes.flatMap(appliedBy);
    expect(rest).toEqual(all.slice(all.length - rest.length));
    expect(rest.length).toBeLessThanOrEqual(all.length - count);
    expect(await schemaOf(database.url)).toEqual(whole);
  });
});
