import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createMasterKey } from '@gatehouse/key-encryption';
import { createTestDatabase, hasOpenSsl, openTlsProxy } from '@gatehouse/test-database';
import { expect, test } from 'vitest';
import { SCHEMA } from '../../testing/migrate.ts';
import { expectRefusal } from '../../testing/refused-start.ts';
import { makeDataFolder, spawnServer } from '../../testing/spawn-server.ts';

// Needs openssl to make certificates.
test.skipIf(!hasOpenSsl)(
  'a server reaches a database by TLS with an authority of its own, in workers and to listen, with the URL in a file; with another authority it says why not',
  { timeout: 90_000 },
  async () => {
    await using resources = new AsyncDisposableStack();
    const database = await createTestDatabase(SCHEMA);
    resources.defer(() => database.drop());
    const { url, ca, otherCa } = resources.use(await openTlsProxy(database.url));
    const folder = resources.use(await makeDataFolder());
    const settings = async (root: string) => {
      const file = join(folder.path, 'url');
      await writeFile(file, `${url}?sslmode=verify-full&sslrootcert=${root}\n`, { mode: 0o600 });
      return { DATABASE_URL_FILE: file, GATEHOUSE_MASTER_KEY: createMasterKey(), WORKERS: '2' };
    };
    await expectRefusal(spawnServer(await settings(otherCa)), 1, /cannot be reached: .*certificate/);
    await expectRefusal(
      spawnServer(await settings(`${ca}.none`)),
      2,
      /DATABASE_URL_FILE names .*, whose content names a file that cannot be read: ENOENT.*\.none'/,
    );
    const empty = join(folder.path, 'empty.pem');
    await writeFile(empty, '\n');
    await expectRefusal(
      spawnServer(await settings(empty)),
      2,
      /DATABASE_URL_FILE names .*, whose content names a file without a certificate: the file in sslrootcert must/,
    );
    await using server = spawnServer(await settings(ca));
    await server.serving();
    const readiness = async () => (await fetch(`${server.opsUrl()}/ready`)).text();
    await expect.poll(readiness, { timeout: 20_000 }).toBe('{"status":"ready"}');
  },
);
