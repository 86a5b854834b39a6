import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createMasterKey } from '@gatehouse/key-encryption';
import { createTestDatabase } from '@gatehouse/test-database';
import { describe, expect, it } from 'vitest';
import { call, signInWith } from '../../testing/client.ts';
import { execute } from '../../testing/execute.ts';
import { migrate, SCHEMA } from '../../testing/migrate.ts';
import { expectRefusal } from '../../testing/refused-start.ts';
import { makeDataFolder, spawnServer } from '../../testing/spawn-server.ts';

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

    server.process.kill('SIGTERM');
    expect(await server.ended).toBe(0);
    const lines = server.out().trimEnd().split('\n');
    expect(lines.slice(-2).map((line) => JSON.parse(line))).toMatchObject([
      { level: 'info', msg: 'stopping', reason: 'SIGTERM' },
      { level: 'info', msg: 'stopped', version },
    ]);
  });

  it('needs a master key, and the one that its keys are encrypted with', async () => {
    await using folder = await makeDataFolder();
    await using database = await createTestDatabase(SCHEMA);
    const { DATABASE_URL, GATEHOUSE_MASTER_KEY } = {
      DATABASE_URL: database.url,
      GATEHOUSE_MASTER_KEY: createMasterKey(),
    };
    await expectRefusal(spawnServer({ DATABASE_URL }, folder.path), 2, /GATEHOUSE_MASTER_KEY/);
    await expectRefusal(
      spawnServer({ DATABASE_URL, GATEHOUSE_MASTER_KEY_FILE: join(folder.path, 'none') }),
      2,
      /GATEHOUSE_MASTER_KEY_FILE: .*none cannot be read/,
    );
    const first = spawnServer({ DATABASE_URL, GATEHOUSE_MASTER_KEY });
    await first.serving();
    first.process.kill('SIGTERM');
    expect(await first.ended).toBe(0);

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
    const { ops_url } = JSON.parse(server.out());
    expect((await call(ops_url, '/ready')).status).toBe(200);
    await migrateFurther(database.url);
    expect((await call(ops_url, '/ready')).status).toBe(200);
    await execute(database.url, 'delete from kysely_migration');
    expect((await call(ops_url, '/ready')).status).toBe(503);
  });
});
