import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The program of the command line. */
export const COMMAND = fileURLToPath(new URL('../../../../../apps/cli/bin/gatehouse.js', import.meta.url));

/** The exit status of `doctor` with findings. */
const FOUND = 6;

/** Runs a command as a process of its own, and returns how long it took from start to exit, in milliseconds. */
export function timeCommand(settings: Readonly<Record<string, string>>, args: readonly string[]): number {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, ...settings };
  const startedAt = performance.now();
  const { status, stderr } = spawnSync(process.execPath, [COMMAND, ...args], { env, encoding: 'utf8' });
  const tookMs = performance.now() - startedAt;
  if (status !== 0 && status !== FOUND) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
  return tookMs;
}
