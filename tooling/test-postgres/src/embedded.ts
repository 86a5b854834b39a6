import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedPostgres } from '@gatehouse/embedded-postgres';
import { TEST_SETTINGS, type TestPostgres } from './test-postgres.ts';

/** The embedded PostgreSQL in a temporary folder, which goes with it. */
export async function startEmbedded(): Promise<TestPostgres> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-test-'));
  const removeFolder = () => rm(dataDir, { recursive: true, force: true });
  try {
    const { url, close } = await openEmbeddedPostgres({ dataDir, settings: TEST_SETTINGS });
    return { url, origin: 'embedded', stop: () => close().finally(removeFolder) };
  } catch (error) {
    await removeFolder();
    throw error;
  }
}
