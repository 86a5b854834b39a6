import { mkdir, realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { unprivilegedAccount } from './account.ts';
import { type Cluster, clusterPaths, locateBinaries } from './cluster.ts';
import { changeFolder, codeOf } from './files.ts';
import { refuseForeignFolders } from './foreign-folder.ts';
import { initialize } from './initialize.ts';
import { isSetUp } from './set-up.ts';

/** Returns the cluster of a data folder. Creates the cluster and sets it up if necessary. */
export async function prepareCluster(dataDir: string, settings: Cluster['settings']): Promise<Cluster> {
  const binaries = await locateBinaries();
  await makeFolder(resolve(dataDir), 0o700);
  const folder = await realpath(dataDir);
  const paths = clusterPaths(join(folder, 'postgres'));
  await refuseForeignFolders(resolve(dataDir));
  await refuseForeignFolders(paths.folder);
  const account = await unprivilegedAccount(paths.data);
  if (account !== undefined) await letThrough(folder);
  const cluster = { paths, binaries, account, settings };
  await initialize(cluster);
  // If the file with the password cannot be read, `isSetUp` throws now, before a server is started.
  await isSetUp(paths);
  return cluster;
}

/**
 * Creates a folder and its parents. If Gatehouse runs as root, no folder is created on a path that another user can
 * redirect. Node's recursive `mkdir` is not used: if a parent exists in which no folder can be created, as under /proc,
 * it loops forever.
 */
async function makeFolder(path: string, mode?: number): Promise<void> {
  const parent = dirname(path);
  const above = await stat(parent, { throwIfNoEntry: false });
  if (above === undefined && parent !== path) await makeFolder(parent);
  await refuseForeignFolders(parent);
  try {
    await mkdir(path, mode);
  } catch (error) {
    // Another process may have created the folder.
    if (codeOf(error) !== 'EEXIST' || !(await stat(path)).isDirectory()) throw error;
  }
}

/** Lets the account of PostgreSQL enter root's data folder. The files in the folder have modes of their own. */
async function letThrough(folder: string): Promise<void> {
  if (((await stat(folder)).mode & 0o001) !== 0) return;
  await changeFolder(folder, { mode: ({ mode }) => (mode & 0o777) | 0o011 });
}
