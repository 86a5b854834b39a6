import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openWithRights } from '@gatehouse/embedded-postgres/testing';
import { TEST_SETTINGS, type TestPostgres } from './test-postgres.ts';

/** To make databases and roles, and to write to a database as a replica does. */
const rights = (role: string) => [
  `ALTER ROLE ${role} CREATEDB CREATEROLE`,
  `GRANT SET ON PARAMETER session_replication_role TO ${role}`,
];

/** The embedded PostgreSQL in a temporary folder, which goes with it. */
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
