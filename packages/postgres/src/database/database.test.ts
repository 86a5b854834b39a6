import { UnavailableFault } from '@gatehouse/domain';
import type { Instant } from '@gatehouse/domain/time';
import { openSilenceableProxy } from '@gatehouse/test-database';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openInjectingProxy } from '../../testing/injecting-proxy.ts';
import { aTestDatabase, openAnother } from '../../testing/open-test-store.ts';
import type { Database, DatabaseOptions } from './database.ts';
import { DatabaseFault } from './faults.ts';

const open = (options: Partial<DatabaseOptions> = {}) => aTestDatabase({ empty: true, ...options });

const ask = async ({ queries }: Database) =>
  (await sql<{ answer: number }>`select ${1}::int as answer`.execute(queries)).rows[0]?.answer;

const pidOf = async ({ queries }: Pick<Database, 'queries'>) =>
  (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(queries)).rows[0]?.pid;

const faultOf = (call: Promise<unknown>): Promise<Error> =>
  call.then(
    () => expect.fail('it did not fail'),
    (error: Error) => error,
  );

const everything = (error: Error) => `${error.stack} ${JSON.stringify({ ...error, cause: error.cause })}`;

describe('an unavailable database', () => {
  test('is unavailable if no server listens, and the error does not contain the password', async () => {
    const database = openAnother({ url: 'postgres://ada:hunter2@127.0.0.1:1/gatehouse', poolSize: 1 });
    const fault = await faultOf(ask(database));
    expect(fault).toBeInstanceOf(UnavailableFault);
    expect(fault.message).toMatch(/^the database cannot be reached: .*ECONNREFUSED/);
    expect(everything(fault)).not.toContain('hunter2');
  });

  test('is unavailable if it rejects the role', async () => {
    const { url } = await open();
    const wrong = new URL(url);
    wrong.username = 'missing';
    wrong.password = 'hunter2';
    const fault = await faultOf(ask(openAnother({ url: wrong.href, poolSize: 1 })));
    expect(fault).toBeInstanceOf(UnavailableFault);
    expect(everything(fault)).not.toContain('hunter2');
  });

  test('is unavailable if it accepts the connection but does not answer', async () => {
    const { url } = await open();
    const proxy = await openSilenceableProxy(url);
    onTestFinished(proxy.close);
    proxy.silence(true);
    const database = openAnother({ url: proxy.url, poolSize: 1 });
    expect(await faultOf(ask(database))).toBeInstanceOf(UnavailableFault);
    proxy.silence(false);
    expect(await ask(database)).toBe(1);
  });

  test('is unavailable while all its connections are in use, and leaks none', async () => {
    // Shorter than PostgreSQL lets a session idle in its transaction.
    const { database } = await open({ poolSize: 2, connectTimeoutMs: 1_000 });
    const held = Promise.withResolvers<void>();
    const transactions = [1, 2].map(() =>
      database.queries.transaction().execute(async (tx) => {
        await pidOf({ queries: tx });
        await held.promise;
      }),
    );
    const faults = await Promise.all(Array.from({ length: 100 }, () => faultOf(ask(database))));
    expect(faults.every((fault) => fault instanceof UnavailableFault)).toBe(true);
    held.resolve();
    await Promise.all(transactions);
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(database)));
    expect(answers).toEqual(Array(20).fill(1));
  });
});

describe('a connection that is lost', () => {
  const terminate = ({ queries }: Database, pid: number | undefined) =>
    sql`select pg_terminate_backend(${pid}, 5000)`.execute(queries);

  test('while idle is replaced without an error', async () => {
    const { url, database: other } = await open();
    const database = openAnother({ url, poolSize: 1 });
    const pid = await pidOf(database);
    await terminate(other, pid);
    // The end of the connection may reach the pool only after it has lent it out once more.
    await ask(database).catch((fault) => expect(fault).toBeInstanceOf(UnavailableFault));
    expect(await pidOf(database)).not.toBe(pid);
  });

  test('within a transaction makes the database unavailable, and is replaced', async () => {
    const { url, database: other } = await open();
    const database = openAnother({ url, poolSize: 1 });
    const transaction = database.queries.transaction().execute(async (tx) => {
      await terminate(other, await pidOf({ queries: tx }));
      await pidOf({ queries: tx });
    });
    expect(await faultOf(transaction)).toBeInstanceOf(UnavailableFault);
    expect(await ask(database)).toBe(1);
  });

  test('right after connecting makes the database unavailable', async () => {
    const { url } = await open();
    const proxy = await openInjectingProxy(url);
    proxy.endWithAnswerTo('set statement_timeout');
    const database = openAnother({ url: proxy.url, poolSize: 1 });
    expect(await faultOf(ask(database))).toBeInstanceOf(UnavailableFault);
    expect(database.poolState()).toEqual({ total: 0, idle: 0, waiting: 0 });
  });

  test('to a silent server is given up, and is not reused', async () => {
    const { url } = await open();
    const proxy = await openSilenceableProxy(url);
    onTestFinished(proxy.close);
    const database = openAnother({ url: proxy.url, poolSize: 1, statementTimeoutMs: 250 });
    const pid = await pidOf(database);
    proxy.silence(true);
    const fault = await faultOf(database.queries.transaction().execute((tx) => pidOf({ queries: tx })));
    expect(fault).toBeInstanceOf(UnavailableFault);
    proxy.silence(false);
    expect(await pidOf(database)).not.toBe(pid);
  });
});

test('every connection makes the database end slow statements and idle transactions', async () => {
  const { url } = await open();
  const { queries } = openAnother({ url, poolSize: 1 });
  const { rows } = await sql<{ statement: string; idle: string }>`
    select current_setting('statement_timeout') as statement,
      current_setting('idle_in_transaction_session_timeout') as idle`.execute(queries);
  expect(rows).toEqual([{ statement: '5s', idle: '10s' }]);
});

describe('a statement', () => {
  test('that takes too long is cancelled by the server, and its connection is reused', async () => {
    const { database } = await open({ poolSize: 1, statementTimeoutMs: 250 });
    const pid = await pidOf(database);
    const fault = await faultOf(sql`select pg_sleep(10)`.execute(database.queries));
    expect(fault).toBeInstanceOf(UnavailableFault);
    expect(await pidOf(database)).toBe(pid);
  });

  test('that is rejected is a fault without the SQL and the row', async () => {
    const { database } = await open();
    await sql`create table secrets (id int primary key, hash text not null)`.execute(database.queries);
    const insert = () => sql`insert into secrets values (1, ${'hunter2'})`.execute(database.queries);
    await insert();
    const unique = await faultOf(insert());
    expect(unique).toBeInstanceOf(DatabaseFault);
    expect(unique).toMatchObject({ code: '23505', constraint: 'secrets_pkey' });
    const incomplete = sql`insert into secrets values (${null}::int, ${'hunter2'})`;
    const missing = await faultOf(incomplete.execute(database.queries));
    for (const fault of [unique, missing]) {
      expect(everything(fault)).not.toMatch(/hunter2|insert into|Failing row/);
    }
  });

  test('with parameters is prepared once per connection, under a name', async () => {
    const { database } = await open({ poolSize: 1 });
    for (let i = 0; i < 3; i += 1) await ask(database);
    const prepared = sql`select statement from pg_prepared_statements`.execute(database.queries);
    expect((await prepared).rows).toEqual([{ statement: 'select $1::int as answer' }]);
  });
});

describe('a value', () => {
  test('of int8 that JavaScript cannot represent exactly is refused, not rounded', async () => {
    const { database } = await open();
    const read = async (text: string) =>
      (await sql<{ id: number }>`select ${text}::bigint as id`.execute(database.queries)).rows[0]?.id;
    expect(await read('9007199254740991')).toBe(Number.MAX_SAFE_INTEGER);
    expect(await read('-9007199254740991')).toBe(Number.MIN_SAFE_INTEGER);
    for (const beyond of ['9007199254740992', '9223372036854775807', '-9007199254740992']) {
      await expect(read(beyond)).rejects.toThrow(RangeError);
    }
  });

  test.each(['UTC', 'Asia/Kolkata', 'America/St_Johns', 'Asia/Tokyo'])(
    'of timestamptz is the same to the millisecond in the zone %s',
    async (zone) => {
      const { url, database: admin } = await open();
      const name = new URL(url).pathname.slice(1);
      await sql`alter database ${sql.id(name)} set timezone to ${sql.lit(zone)}`.execute(admin.queries);
      const database = openAnother({ url, poolSize: 1 });
      const texts = [
        '2026-07-01T23:59:59.999Z',
        '2026-01-01T00:00:00.000Z',
        '2026-03-08T07:30:00.120Z',
        '1970-01-01T00:00:00.001Z',
        '9999-12-31T00:00:00.000Z',
      ];
      for (const text of texts) {
        const read = sql<{ at: Instant }>`select ${text}::timestamptz(3) as at`.execute(database.queries);
        expect((await read).rows[0]?.at).toBe(Date.parse(text));
      }
      for (const none of ['infinity', '-infinity', '0044-03-15 BC']) {
        const read = sql`select ${none}::timestamptz as at`.execute(database.queries);
        await expect(read).rejects.toThrow(RangeError);
      }
    },
  );
});
