import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { BUILT_IN, createCatalog } from '@gatehouse/domain/resources';
import { createService } from '@gatehouse/domain/services';
import { createFixedClock, OPERATOR, START } from '@gatehouse/domain/testing';
import { createMasterKey } from '@gatehouse/key-encryption';
import { createPostgresRepositories } from '@gatehouse/postgres';
import { shiftNotes } from '@gatehouse/shift-notes';
import { createTestDatabase } from '@gatehouse/test-database';
import { describe, expect, it } from 'vitest';
import { call, signInWith } from '../../testing/client.ts';
import { execute } from '../../testing/execute.ts';
import { recordLog } from '../../testing/log.ts';
import { migrate, SCHEMA } from '../../testing/migrate.ts';
import { expectRefusal } from '../../testing/refused-start.ts';
import { spawnServer } from '../../testing/spawn-server.ts';
import { parseSettings } from '../settings/settings.ts';
import { openStore } from './open-store.ts';
import { startProblem } from './start-error.ts';

/** As a newer version would. */
const migrateFurther = (url: string) =>
  execute(url, "insert into kysely_migration values ('9999-of-a-newer-version', now())");

describe('a database of one’s own', () => {
  it('is neither migrated nor filled: the server names the command and exits', async () => {
    await using database = await createTestDatabase();
    const settings = { DATABASE_URL: database.url, GATEHOUSE_MASTER_KEY: createMasterKey() };
    await expectRefusal(
      spawnServer(settings),
      1,
      /older than this version of Gatehouse: run `gatehouse migrate` before you start it\n$/,
    );

    await migrate(database.url);
    await using server = spawnServer(settings);
    const url = await server.serving();
    const { version } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'));
    expect(JSON.parse(server.out())).toMatchObject({
      level: 'info',
      msg: 'the server is ready for requests',
      version,
      url,
    });
    expect((await signInWith(url, { email: 'ada@acme.example', password: 'x' })).status).toBe(401);
    expect((await call(url, '/.well-known/paserk.json')).json).toMatchObject({ keys: [expect.any(Object)] });

    expect(await server.stop()).toBe(0);
    const lines = server.out().trimEnd().split('\n');
    expect(lines.slice(-2).map((line) => JSON.parse(line))).toMatchObject([
      { level: 'info', msg: 'the server is stopping', reason: 'SIGTERM' },
      { level: 'info', msg: 'the server has stopped', version },
    ]);
  });

  it('needs the master key that its keys are encrypted with', async () => {
    await using database = await createTestDatabase(SCHEMA);
    const DATABASE_URL = database.url;
    const first = spawnServer({ DATABASE_URL, GATEHOUSE_MASTER_KEY: createMasterKey() });
    await first.serving();
    expect(await first.stop()).toBe(0);

    const keys = () => execute(database.url, 'select * from signing_keys');
    const before = await keys();
    const other = { DATABASE_URL, GATEHOUSE_MASTER_KEY: createMasterKey() };
    await expectRefusal(spawnServer(other), 1, /master key does not decrypt the signing keys/);
    expect(await keys()).toEqual(before);
  });

  it('in another encoding than UTF-8 is served, with a warning that says what to do', async () => {
    await using database = await createTestDatabase(undefined, { encoding: 'LATIN1' });
    await execute(
      database.url,
      'create table kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null)',
    );
    await migrate(database.url);
    const DATABASE_URL = database.url;
    await using server = spawnServer({ DATABASE_URL, GATEHOUSE_MASTER_KEY: createMasterKey() });
    await server.serving();
    const [first] = server.out().split('\n');
    expect(JSON.parse(first ?? '')).toMatchObject({
      level: 'warn',
      code: 'database_encoding',
      msg: expect.stringMatching(/the encoding LATIN1, not UTF8.*--encoding=UTF8/),
    });
  });

  it('whose tables this role may not use is told in one line, with the statement that mends it', async () => {
    await using database = await createTestDatabase(SCHEMA);
    const role = `guest_${randomBytes(8).toString('hex')}`;
    await execute(
      database.url,
      `create role ${role}; grant ${role} to current_user; grant usage on schema public to ${role}`,
    );
    await execute(
      database.url,
      `alter database ${new URL(database.url).pathname.slice(1)} set role = ${role}`,
    );
    const settings = { DATABASE_URL: database.url, GATEHOUSE_MASTER_KEY: createMasterKey() };
    await expectRefusal(
      spawnServer(settings),
      1,
      new RegExp(
        `permission denied for table kysely_migration; .*\`alter table kysely_migration owner to ${role};`,
      ),
    );
    await execute(database.url, `set role none; drop owned by ${role}; drop role ${role}`);
  });

  it('with a service that has the name of an extension is not served', async () => {
    await using database = await createTestDatabase(SCHEMA);
    const settings = parseSettings({ DATABASE_URL: database.url });
    if (!settings.ok) throw new Error(settings.error.join());
    await using resources = new AsyncDisposableStack();
    const { log } = recordLog();
    const open = () => openStore(settings.value, resources, log, [shiftNotes]);
    const store = await open();
    const create = createService({
      ...createPostgresRepositories(store.database),
      catalog: createCatalog(BUILT_IN),
      clock: createFixedClock(START),
    });
    await create(OPERATOR, { name: shiftNotes.name, description: null, openTo: 'all' });
    const refused = await open().catch((error: unknown) => error);
    expect(startProblem(refused)).toMatch(
      /^the extension shift-notes has the name of a service.*another name/,
    );
  });

  it('that a newer version migrated is not changed', async () => {
    await using database = await createTestDatabase(SCHEMA);
    await migrateFurther(database.url);
    const settings = { DATABASE_URL: database.url, GATEHOUSE_MASTER_KEY: createMasterKey() };
    await expectRefusal(spawnServer(settings), 1, /migrated by a newer version of Gatehouse/);
    expect(await execute(database.url, 'select from signing_keys')).toEqual([]);
  });

  it('that a newer version migrates is still used by running servers, which are replaced one by one', async () => {
    await using database = await createTestDatabase(SCHEMA);
    const settings = { DATABASE_URL: database.url, GATEHOUSE_MASTER_KEY: createMasterKey() };
    await using server = spawnServer(settings);
    await server.serving();
    const ready = async () => (await call(server.opsUrl(), '/ready')).status;
    expect(await ready()).toBe(200);
    await migrateFurther(database.url);
    expect(await ready()).toBe(200);
    await execute(database.url, 'delete from kysely_migration');
    expect(await ready()).toBe(503);
  });
});
