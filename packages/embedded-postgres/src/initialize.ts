import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type Cluster, clusterPaths, SUPERUSER } from './cluster.ts';
import { changeFolder } from './files.ts';
import { endOf, programFailure, programOptions } from './programs.ts';
import { setUp } from './set-up.ts';

const ENCODING = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'];
const ABANDONED_AFTER_MS = 10 * 60_000;

/**
 * Creates the cluster if it does not exist. The folder is filled under a temporary name and then renamed, so that no
 * process sees an incomplete cluster. If several processes create the cluster at once, all of them use the cluster that
 * was renamed earliest.
 */
export async function initialize(cluster: Cluster): Promise<void> {
  const { folder, data } = cluster.paths;
  await removeAbandoned(folder);
  if (await exists(join(data, 'PG_VERSION'))) return removeAbandoned(cluster.paths.socket);
  const temporary = await mkdtemp(`${folder}.new-`);
  try {
    const making = { ...cluster, paths: clusterPaths(temporary) };
    await fill(making);
    await setUp(making);
    await rename(temporary, folder).catch(async (error: unknown) => {
      if (!(await exists(join(data, 'PG_VERSION')))) throw error;
    });
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

async function fill(cluster: Cluster): Promise<void> {
  const { paths, account, binaries } = cluster;
  await mkdir(paths.data, { mode: 0o700 });
  if (account !== undefined) {
    await changeFolder(paths.folder, { mode: () => 0o711 });
    await changeFolder(paths.data, { account });
  }
  const options = [`--username=${SUPERUSER}`, '--auth=reject', ...ENCODING];
  if (cluster.settings.fsync === 'off') options.push('--no-sync');
  // initdb runs in its own process group. In the process group of the terminal, Ctrl-C would end initdb and leave an
  // incomplete folder.
  const initdb = spawn(binaries.initdb, [`--pgdata=${paths.data}`, ...options], {
    ...programOptions(cluster),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [said, ending] = await Promise.all([text(initdb.stderr), endOf(initdb, 'close')]);
  if (initdb.exitCode === 0) return;
  const reason = said.match(/initdb: error: .*/)?.[0] ?? `initdb: ${ending}`;
  throw await programFailure(cluster, binaries.initdb, `The database could not be created: ${reason}`);
}

/**
 * Removes folders that killed processes have left. Young folders are kept, because other processes may be filling them
 * now.
 */
async function removeAbandoned(folder: string): Promise<void> {
  const parent = dirname(folder);
  for (const name of await readdir(parent)) {
    if (!name.startsWith(`${basename(folder)}.new-`)) continue;
    const path = join(parent, name);
    const status = await stat(path).catch(() => undefined);
    if (status !== undefined && Date.now() - status.mtimeMs > ABANDONED_AFTER_MS) {
      // If a folder cannot be removed, that is ignored, because the folder only uses disk space.
      await rm(path, { recursive: true, force: true }).catch(() => undefined);
    }
  }
}

/**
 * Returns whether the path exists. Throws if that cannot be found out, so that an existing cluster is not created
 * again.
 */
async function exists(path: string): Promise<boolean> {
  return (await stat(path, { throwIfNoEntry: false })) !== undefined;
}
