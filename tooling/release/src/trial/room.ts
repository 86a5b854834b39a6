import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { machinePath, npmSettings } from './machine-node.ts';

/** How a program ended. */
export interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
}

/** A program that runs until it is stopped. */
export interface Running {
  output(): string;
  /** Sends SIGTERM, and resolves with the exit status. */
  stop(): Promise<number | null>;
}

export type Room = ReturnType<typeof openRoom>;

/**
 * Opens an empty folder with an empty home and none of our environment, as on a machine that has nothing of ours.
 *
 * @param node the Node of the programs; default: the machine's
 */
export function openRoom(node?: string) {
  const place = mkdtempSync(join(tmpdir(), 'gatehouse-trial-'));
  // If root starts it, the embedded PostgreSQL runs as another user, who has to enter.
  chmodSync(place, 0o755);
  const [folder, home, programs] = [join(place, 'folder'), join(place, 'home'), join(place, 'programs')];
  for (const each of [folder, home, programs]) mkdirSync(each);
  if (node !== undefined) symlinkSync(node, join(programs, 'node'));
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  const env = {
    HOME: home,
    TMPDIR: tmpdir(),
    PATH: [programs, machinePath()].join(delimiter),
    ...npmSettings(),
  };
  const running = new Set<ChildProcess>();

  function start(command: string, args: readonly string[], options: RunOptions) {
    const child = spawn(command.startsWith('.') ? join(folder, command) : command, args, {
      cwd: folder,
      env: { ...env, ...options.env },
      stdio: 'pipe',
    });
    running.add(child);
    child.once('exit', () => running.delete(child));
    // A program that reads nothing may have exited before this is written.
    child.stdin.on('error', () => undefined);
    child.stdin.end(options.stdin ?? '');
    const printed = { stdout: '', stderr: '' };
    child.stdout.on('data', (chunk) => (printed.stdout += chunk));
    child.stderr.on('data', (chunk) => (printed.stderr += chunk));
    return { child, printed };
  }

  async function run(command: string, args: readonly string[], options: RunOptions = {}): Promise<Ran> {
    const { child, printed } = start(command, args, options);
    await once(child, 'close');
    return { status: child.exitCode, ...printed };
  }

  return {
    folder,
    /** Runs a program to its end. A command that begins with `./` is in the folder. */
    run,
    /**
     * Runs a program that has to succeed, and returns its standard output.
     *
     * @throws Error with its output, if it fails
     */
    async succeed(command: string, args: readonly string[], options: RunOptions = {}): Promise<string> {
      const { status, stdout, stderr } = await run(command, args, options);
      if (status !== 0)
        throw new Error(`${command} ${args.join(' ')} ended with ${status}:\n${stdout}${stderr}`);
      return stdout;
    },
    /** Starts a program in the background. */
    start(command: string, args: readonly string[], options: RunOptions = {}): Running {
      const { child, printed } = start(command, args, options);
      return {
        output: () => printed.stdout + printed.stderr,
        async stop() {
          if (child.exitCode === null) {
            const ended = once(child, 'exit');
            child.kill('SIGTERM');
            await ended;
          }
          return child.exitCode;
        },
      };
    },
    async [Symbol.asyncDispose]() {
      const ends = [...running].map((child) => once(child, 'exit'));
      for (const child of running) child.kill('SIGTERM');
      await Promise.all(ends);
      rmSync(place, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}
