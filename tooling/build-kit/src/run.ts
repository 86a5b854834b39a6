import { spawnSync } from 'node:child_process';
import { delimiter, join } from 'node:path';

/** The repository's root. */
export const ROOT = join(import.meta.dirname, '../../..');

const TOOLS = ['.toolchain/node_modules/.bin', 'node_modules/.bin'].map((folder) => join(ROOT, folder));

/**
 * Runs one of the repository's tools to its end.
 *
 * @throws Error with its output, if it fails
 */
export function run(cwd: string, command: string, ...args: readonly string[]): void {
  const env = { ...process.env, PATH: [...TOOLS, process.env.PATH].join(delimiter) };
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args[0]} failed: ${error ?? stdout + stderr}`);
}
