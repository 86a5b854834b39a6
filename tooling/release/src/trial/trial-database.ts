import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openWithRights } from '@gatehouse/embedded-postgres/testing';

/** Starts a PostgreSQL with an empty database, in a temporary folder. */
export async function openDatabase() {
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-trial-database-'));
  chmodSync(dataDir, 0o755);
  const { url, close } = await openWithRights({ dataDir, settings: { fsync: 'off' } }, () => []);
  return {
    url,
    async [Symbol.asyncDispose]() {
      await close();
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}
