import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openWithRights } from '@gatehouse/embedded-postgres/testing';
import { TEST_SETTINGS, type TestPostgres } from './test-postgres.ts';

/** Rights to create databases and roles, and to write to a database like a replica. */
const rights = (role: string) => [
  `ALTER ROLE ${role} CREATEDB CREATEROLE`,
  `GRANT SET ON PARAMETER session_replication_role TO ${role}`,
];

/** Starts the embedded PostgreSQL in a temporary folder, which is removed with it. */
export async function startEmbedded(): Promise<TestPostgres> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-test-'));
  const removeFolder = () => rm(dataDir, { recursive: true, force: true });
  try {
    const { url, close } = await openWithRights({ dataDir, settings: TEST_SETTINGS }, rights);
    return { url, origin: 'embedded', stop: () => close().finally(removeFolder) };
  } catch (error) {
    await removeFolder();
    throw error;
  }
}
