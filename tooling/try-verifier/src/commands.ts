import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from './root.ts';

const run = promisify(execFile);

/** Runs a command of `./gatehouse`, and returns its JSON. */
export type Command = (...args: readonly string[]) => Promise<Record<string, unknown>>;

/** @param folder the data folder of the server */
export function createCommands(folder: string): Command {
  const settings = { GATEHOUSE_DATA_DIR: folder, GATEHOUSE_AS: 'ada@acme.example', DATABASE_URL: undefined };
  const env = { ...process.env, ...settings };
  return async (...args) => {
    const { stdout } = await run(join(ROOT, 'gatehouse'), [...args, '--json'], { env });
    return JSON.parse(stdout);
  };
}
