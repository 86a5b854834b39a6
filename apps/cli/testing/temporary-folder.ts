import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fillDataFolder } from '@gatehouse/embedded-postgres/testing/fill-data-folder';
import { onTestFinished } from 'vitest';

/** An empty folder for one test. */
export async function aTemporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-cli-'));
  // Where the tests are run by root, PostgreSQL runs as somebody else, who has to pass.
  await chmod(folder, 0o711);
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

/** A data folder whose database was made before, without a table: `migrate` has less to do. */
export async function aUsedDataFolder(): Promise<string> {
  const folder = await aTemporaryFolder();
  await fillDataFolder(folder);
  return folder;
}
