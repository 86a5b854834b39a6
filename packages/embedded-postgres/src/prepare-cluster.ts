import { mkdir, realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { unprivilegedAccount } from './account.ts';
import { locateBinaries } from './binaries.ts';
import { type Cluster, clusterPaths } from './cluster.ts';
import { codeOf } from './files.ts';
import { changeFolder } from './folders.ts';
import { refuseForeignFolders } from './foreign-folder.ts';
import { initialize } from './initialize.ts';
import { isSetUp } from './set-up.ts';

/** The cluster of a data folder, which is made with all in it if it is not there yet. */
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
  // Fails before anything is started if the password cannot be read.
  await isSetUp(paths);
  return cluster;
}

/**
 * Makes a folder and those it is in, as root only where no other user can lead it elsewhere. Node's own way of doing this
 * never ends where a parent is there and yet nothing can be made in it, as under /proc.
 */
async function makeFolder(path: string, mode?: number): Promise<void> {
  const parent = dirname(path);
  if (parent !== path && !(await isThere(parent))) await makeFolder(parent);
  await refuseForeignFolders(parent);
  try {
    await mkdir(path, mode);
  } catch (error) {
    // Another process may be faster.
    if (codeOf(error) !== 'EEXIST' || !(await stat(path)).isDirectory()) throw error;
  }
}

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    return codeOf(error) !== 'ENOENT';
  }
}

/** PostgreSQL's account has to pass the data folder of root; what else is in there has modes of its own. */
async function letThrough(folder: string): Promise<void> {
  if (((await stat(folder)).mode & 0o001) !== 0) return;
  await changeFolder(folder, { mode: ({ mode }) => (mode & 0o777) | 0o011 });
}
