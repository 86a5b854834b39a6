import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** The programs that these tests need besides Node, with the Debian packages that bring them. */
const NEEDED: Readonly<Record<string, string>> = {
  docker: 'docker.io',
  'docker-compose': 'docker-compose',
  debootstrap: 'debootstrap',
};

/** Says in one line why containers cannot run here; undefined if they can. */
export function obstacle(): string | undefined {
  const missing = Object.keys(NEEDED).filter((program) => !isInstalled(program));
  if (missing.length > 0) {
    const packages = missing.map((program) => NEEDED[program]).join(' ');
    return `${missing.join(', ')} not installed (apt-get install ${packages})`;
  }
  if (process.getuid?.() !== 0) return 'only root can make the root file system of a Debian';
  if (hasEngine() || isInstalled('dockerd')) return undefined;
  return 'no Docker engine answers, and dockerd is not installed (apt-get install docker.io)';
}

/** Whether an engine answers without one being started. */
export function hasEngine(): boolean {
  return spawnSync('docker', ['version'], { stdio: 'ignore' }).status === 0;
}

function isInstalled(program: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' }).status === 0;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
}

export interface Ended {
  readonly status: number | NodeJS.Signals;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program until it ends. */
export async function run(
  program: string,
  args: readonly string[],
  { cwd, env, stdin = '' }: RunOptions = {},
): Promise<Ended> {
  const child = spawn(program, args, { cwd, env: { ...process.env, ...env } });
  child.stdin.on('error', () => undefined).end(stdin);
  const [stdout, stderr, [code, signal]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { status: code ?? signal, stdout, stderr };
}

/** The same, for a program that has to succeed. Resolves with its standard output. */
export async function succeed(
  program: string,
  args: readonly string[],
  options?: RunOptions,
): Promise<string> {
  const { status, stdout, stderr } = await run(program, args, options);
  if (status === 0) return stdout.trimEnd();
  throw new Error(
    `${program} ${args.join(' ')} ended (${status}): ${stderr.slice(-4000)}${stdout.slice(-2000)}`,
  );
}
