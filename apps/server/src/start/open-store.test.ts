import { readFile } from 'node:fs/promises';
import { createMasterKey } from '@gatehouse/key-encryption';
import { createTestDatabase } from '@gatehouse/test-database';
import { describe, expect, it } from 'vitest';
import { call, signInWith } from '../../testing/client.ts';
import { execute } from '../../testing/execute.ts';
import { migrate, SCHEMA } from '../../testing/migrate.ts';
import { expectRefusal } from '../../testing/refused-start.ts';
import { spawnServer } from '../../testing/spawn-server.ts';

/** As a newer version would. */
const migrateFurther = (url: string) =>
  execute(url, "insert into kysely_migration values ('9999-of-a-newer-version', now())");

describe('a database of one’s own', () => {
  it('is neither migrated nor filled: the server names the command and exits', async () => {
    await using database = await createTestDatabase();
    const settings = { DATABASE_URL: database.url, GATEHOUSE_MASTER_KEY: createMasterKey() };
    await expectRefusal(spawnServer(settings), 1, /behind this version: run `gatehouse migrate` first\n$/);

    await migrate(database.url);
    await using server = spawnServer(settings);
    const url = await server.serving();
    const { version } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'));
    expect(JSON.parse(server.out())).toMatchObject({ level: 'info', msg: 'serving', version, url });
    expect((await signInWith(url, { email: 'ada@acme.example', password: 'x' })).status).toBe(401);
    expect((await call(url, '/.well-known/paserk.json')).json).toMatchObject({ keys: [expect.any(Object)] });

    expect(await server.stop()).toBe(0);
    const lines = server.out().trimEnd().split('\n');
    expect(lines.slice(-2).map((line) => JSON.parse(line))).toMatchObject([
      { level: 'info', msg: 'stopping', reason: 'SIGTERM' },
      { level: 'info', msg: 'stopped', version },
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
    await expectRefusal(spawnServer(other), 1, /master key is not the one/);
    expect(await keys()).toEqual(before);
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
