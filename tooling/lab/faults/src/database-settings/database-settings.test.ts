import { none, recordFigures, sized } from '@gatehouse/fault-figures';
import { createTestDatabase } from '@gatehouse/test-database';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { grouped, type OtherValue, otherValues } from './other-values.ts';
import { type CreateDatabase, openSuperusersServer } from './superusers-server.ts';
import { begin, visit } from './visit.ts';

/** `npm run faults` tries each value alone, those of superusers included. */
const ALONE = process.env.FAULTS_SIZE !== undefined;
const LIMIT = { timeout: ALONE ? 3_600_000 : 300_000 };
const EVERY = sized({ short: 5, full: 1 });
const BEGUN = { name: 'begun', migrate: begin };

/** The SQLSTATE of `invalid_parameter_value`. */
const INVALID_VALUE = '22023';

type Visit = Awaited<ReturnType<typeof visit>>;

let values: readonly OtherValue[];
let expected: Visit;
let create: CreateDatabase = createTestDatabase;
const resources = new AsyncDisposableStack();
afterAll(() => resources.disposeAsync());

beforeAll(async () => {
  if (ALONE) ({ create } = resources.use(await openSuperusersServer()));
  await using database = await create(BEGUN);
  expected = await visit(database.url);
  values = await withClient(database.url, otherValues);
});

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Gives all new sessions on a database these settings. */
const set = (url: string, settings: readonly OtherValue[]) =>
  withClient(url, async (client) => {
    const name = new URL(url).pathname.slice(1);
    // The settings of PL/pgSQL are known once it is loaded.
    await client.query('do $$ begin end $$');
    for (const setting of settings) {
      const value = /search_path|_libraries|tablespaces/.test(setting.name)
        ? setting.value
        : client.escapeLiteral(setting.value);
      const given = client.query(`alter database ${name} set ${setting.name} = ${value}`);
      await given.catch((error: pg.DatabaseError) => {
        // Not every machine allows every value, such as of max_stack_depth.
        if (error.code !== INVALID_VALUE) throw error;
      });
    }
  });

/** Says how an installation under these settings differs from one without; undefined if it does not. */
async function differenceUnder(settings: readonly OtherValue[]): Promise<string | undefined> {
  await using used = await create(BEGUN);
  await using empty = await create();
  await set(used.url, settings);
  await set(empty.url, settings);
  try {
    const seen = await visit(used.url);
    await begin(empty.url);
    const { exported, organizations, ...begun } = await visit(empty.url);
    const fresh = { ...begun, lines: exported.length, names: organizations.map(({ name }) => name) };
    const { exported: lines, organizations: known, ...rest } = expected;
    expect(seen).toEqual(expected);
    expect(fresh).toEqual({ ...rest, lines: lines.length, names: known.map(({ name }) => name) });
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Settings under which no installation can begin: one line names the setting. */
const NAMED = /^(default_transaction_read_only|\w+_preload_libraries|search_path|session_replication_role)$/;

test('an installation is the same under any settings of its database', LIMIT, async () => {
  const harmless = values.filter(({ name }) => !NAMED.test(name));
  const groups = ALONE
    ? harmless.filter((_, index) => index % EVERY === 0).map((value) => [value])
    : grouped(harmless);
  const differences: string[] = [];
  for (const group of groups) {
    const difference = await differenceUnder(group);
    if (difference === undefined) continue;
    differences.push(`${group.map(({ name, value }) => `${name} = ${value}`).join(', ')}: ${difference}`);
  }
  recordFigures('D6', [none('settings tried, with another outcome', differences.length, groups.length)]);
  expect(differences).toEqual([]);
});

test('a setting under which nothing works is named in one line', LIMIT, async () => {
  for (const value of values.filter(({ name }) => NAMED.test(name))) {
    await using empty = await create();
    await set(empty.url, [value]);
    const told = await begin(empty.url).then(
      () => 'it works',
      (fault: Error) => fault.message,
    );
    expect(told, value.value).toMatch(/^[^\n]+$/);
    // `local` is another value of the setting, but acts like `origin`.
    if (value.value !== 'local') expect(told, value.value).toContain(value.name);
  }
});
