import { rm } from 'node:fs/promises';
import { afterEach, expect, it, vi } from 'vitest';
import { DataFolder, query } from '../testing/data-folder.ts';
import { startOlderVersion } from '../testing/older-version.ts';
import { APP_ROLE } from './cluster.ts';
import { retireOlderServer } from './join-cluster.ts';
import { findPostmaster } from './postmaster-file.ts';
import { prepareCluster } from './prepare-cluster.ts';

afterEach(() => vi.unstubAllEnvs());

it('PGSSLMODE, which is meant for other databases, does not affect the embedded one', async () => {
  vi.stubEnv('PGSSLMODE', 'require');
  await using folder = await DataFolder.makeUsed();
  await folder.useOnce();
});

it('PGSSLMODE does not prevent stopping a server of the previous version', async () => {
  await using folder = await DataFolder.make();
  await startOlderVersion(folder);
  vi.stubEnv('PGSSLMODE', 'require');
  const user = folder.open();
  expect(await query(await user.url(), 'SELECT current_user::text')).toEqual([APP_ROLE]);
  await user.leave();
});

it('PGPASSWORD is not used if the password of the previous version is missing', async () => {
  await using folder = await DataFolder.make();
  const older = await startOlderVersion(folder);
  vi.stubEnv('PGPASSWORD', new URL(older.url).password);
  await rm(folder.paths.older.password);
  const cluster = await prepareCluster(folder.path, {});
  const postmaster = await findPostmaster(folder.paths);
  if (postmaster === undefined) throw new Error('it runs');
  expect(await retireOlderServer(cluster, postmaster)).toContain(folder.paths.older.password);
  expect(await query(older.url, 'SELECT 1')).toEqual([1]);
  await older.stop();
});
