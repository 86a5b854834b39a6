import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { hasEngine, type RunOptions, run, succeed } from './programs.ts';

/** The folder is on a disk, because images need room. */
const FOLDER = '/var/tmp/gatehouse-docker-';

export type Engine = Awaited<ReturnType<typeof openEngine>>;

/** The Docker engine of this machine or, if none answers, one of our own that leaves no trace on the machine. */
export async function openEngine() {
  const own = hasEngine() ? undefined : await startDaemon();
  // Debian's Compose is the first version, which leaves building to the program `docker`.
  const env = {
    DOCKER_BUILDKIT: (await hasBuildKit()) ? '1' : '0',
    COMPOSE_DOCKER_CLI_BUILD: '1',
    ...own?.env,
  };
  return {
    env,
    docker: (args: readonly string[], options?: RunOptions) =>
      succeed('docker', args, { ...options, env: { ...env, ...options?.env } }),
    /** The same for a container that may fail. */
    tryDocker: (args: readonly string[]) => run('docker', args, { env }),
    async [Symbol.asyncDispose]() {
      await own?.stop();
    },
  };
}

/** From version 23 on, the program `docker` needs a plug-in for BuildKit. */
async function hasBuildKit(): Promise<boolean> {
  const { stdout } = await run('docker', ['version', '--format', '{{.Client.Version}}']);
  return Number.parseInt(stdout, 10) < 23 || (await run('docker', ['buildx', 'version'])).status === 0;
}

async function startDaemon() {
  const folder = await mkdtemp(FOLDER);
  const socket = `unix://${join(folder, 'docker.sock')}`;
  const log = join(folder, 'log');
  const parts = ['data', 'exec'].map((name) => `--${name}-root=${join(folder, name)}`);
  // It ends with this process, however that ends.
  const daemon = spawn(
    'sh',
    [
      '-c',
      `exec setpriv --pdeathsig TERM dockerd ${parts.join(' ')} --host=${socket} --pidfile=${folder}/pid > ${log} 2>&1`,
    ],
    { stdio: 'ignore' },
  );
  const ended = once(daemon, 'exit');
  const env = { DOCKER_HOST: socket };
  for (let tries = 0; (await run('docker', ['version'], { env })).status !== 0; tries += 1) {
    if (daemon.exitCode !== null || tries > 100) throw new Error(await readFile(log, 'utf8'));
    await setTimeout(200);
  }
  return {
    env,
    async stop() {
      daemon.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
