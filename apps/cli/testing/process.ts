import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { programFile } from '@gatehouse/test-database';
import type { Outcome } from './memory-cli.ts';

/** The program at the root of the checkout, as a user starts it. */
export const COMMAND = fileURLToPath(new URL('../../../gatehouse', import.meta.url));

/** The JavaScript that it starts, in a checkout that has no bundle. */
const SOURCES = fileURLToPath(new URL('../bin/gatehouse.js', import.meta.url));

/** The JavaScript that tests start. */
export const PROGRAM = programFile('gatehouse', SOURCES);

export type ProcessEnvironment = Readonly<Record<string, string>>;

/** An environment with only these settings. */
export function environment(settings: ProcessEnvironment = {}): Record<string, string> {
  const { PATH = '', HOME = '', TMPDIR = '/tmp', NODE_COMPILE_CACHE = '' } = process.env;
  return { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE, ...settings };
}

/** Starts the program with pipes for its streams, without a terminal. */
export function startCli(
  settings: ProcessEnvironment,
  args: readonly string[],
  { stdin = '', cwd }: { readonly stdin?: string; readonly cwd?: string } = {},
) {
  const program = programFile('gatehouse', SOURCES, settings);
  const child = spawn(process.execPath, [program, ...args], { env: environment(settings), cwd });
  // A program that does not read its input may exit before it is written.
  child.stdin.on('error', () => undefined);
  child.stdin.end(stdin);
  const status = new Promise<number>((resolve, reject) => {
    child.on('error', reject);
    // For a killed program, the status that a shell reports.
    child.on('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal ?? 'SIGKILL']));
  });
  const ended = Promise.all([status, text(child.stdout), text(child.stderr)]).then(
    ([status, stdout, stderr]): Outcome => ({ status, stdout, stderr }),
  );
  return { child, ended };
}

export function runCli(...args: Parameters<typeof startCli>): Promise<Outcome> {
  return startCli(...args).ended;
}
