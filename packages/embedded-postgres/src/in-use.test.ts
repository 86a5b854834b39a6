import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { DataFolder } from '../testing/data-folder.ts';
import { clusterPaths } from './cluster.ts';
import { findPostmaster } from './postmaster-file.ts';
import { socketIn } from './socket-folder.ts';

/** An account that is neither root nor the owner of the files. */
const OTHER_USER = { uid: 54_321, gid: 54_321 };

it('an unreadable postmaster.pid is kept while a program listens on the socket', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-in-use-'));
  const paths = clusterPaths(folder);
  try {
    await mkdir(paths.data);
    await mkdir(paths.socket, { mode: 0o700 });
    await writeFile(paths.postmasterFile, 'not a process\n');
    await utimes(paths.postmasterFile, 1, 1);
    const server = createServer().listen(socketIn(paths.socket));
    await once(server, 'listening');
    expect(await findPostmaster(paths)).toBeUndefined();
    expect(await readFile(paths.postmasterFile, 'utf8')).toBe('not a process\n');
    server.close();
    await once(server, 'close');
    expect(await findPostmaster(paths)).toBeUndefined();
    await expect(readFile(paths.postmasterFile)).rejects.toMatchObject({ code: 'ENOENT' });
  } finally {
    await rm(folder, { recursive: true });
  }
});

// Simulates root in a container without CAP_SYS_PTRACE, by changing the user, which only root can.
it.runIf(process.platform === 'linux' && process.getuid?.() === 0)(
  'a data directory counts as used by processes whose working directory is not readable',
  async () => {
    await using folder = await DataFolder.makeUsed();
    const user = folder.open();
    await user.url();
    await chmod(folder.path, 0o711);
    const module = new URL('processes.ts', import.meta.url).href;
    const program = `import { isInUse } from '${module}'; console.log(await isInUse(process.argv[1]));`;
    const { stdout } = spawnSync(
      process.execPath,
      ['--input-type=module', '--eval', program, folder.paths.data],
      { ...OTHER_USER, cwd: '/', encoding: 'utf8' },
    );
    expect(stdout.trim()).toBe('true');
    await user.leave();
  },
);
