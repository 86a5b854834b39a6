import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fillDataFolder } from '@gatehouse/embedded-postgres/testing/fill-data-folder';
import { quickFolder } from '@gatehouse/test-database/quick-folder';
import { onTestFinished } from 'vitest';

/** Creates an empty folder for one test. */
export async function aTemporaryFolder(place = tmpdir()): Promise<string> {
  const folder = await mkdtemp(join(place, 'gatehouse-cli-'));
  // If root runs the tests, PostgreSQL runs as another user, who needs access.
  await chmod(folder, 0o711);
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

/** Creates an empty data folder. */
export const aDataFolder = () => aTemporaryFolder(quickFolder());

/** Creates a data folder with an existing database without tables, so that `migrate` has less to do. */
export async function aUsedDataFolder(): Promise<string> {
  const folder = await aDataFolder();
  await fillDataFolder(folder);
  return folder;
}
