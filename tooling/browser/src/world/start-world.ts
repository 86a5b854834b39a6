import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { quickFolder } from '@gatehouse/test-database/quick-folder';
import { runCommand, type Settings, startServer } from './start-server.ts';

/** The credentials of a person. */
export interface Person {
  readonly email: string;
  readonly password: string;
}

const GIL: Person = { email: 'gil@globex.example', password: 'the phrase of Gil' };
const HAL: Person = { email: 'hal@globex.example', password: 'the phrase of Hal' };

interface Demo {
  readonly account: { readonly id: number; readonly name: string };
  readonly admin: Person;
  readonly member: Person;
}

export interface WorldOptions {
  readonly settings?: Settings;
  /** Fills the empty data folder: a copy of a used one makes the start seconds shorter. */
  readonly fill?: (folder: string) => Promise<void>;
  /** Whether the copy has the people of Globex (`addGlobex`). */
  readonly hasGlobex?: boolean;
}

/** A server with people of two accounts; disposing of it stops it and removes its data. */
export type World = Awaited<ReturnType<typeof startWorld>>;

/**
 * Starts a real server on a database of its own, with the demo's account Acme (Ada, an admin, and Ben, a member) and the account
 * Globex (Gil, an admin, and Hal, a member).
 */
export async function startWorld({ settings = {}, fill, hasGlobex = false }: WorldOptions = {}) {
  const folder = await mkdtemp(join(quickFolder(), 'gatehouse-world-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  // If root runs the tests, PostgreSQL runs as another user, who needs access.
  await chmod(folder, 0o755);
  const all = { GATEHOUSE_DATA_DIR: folder, ...settings };
  try {
    await fill?.(folder);
    const server = await startServer(all);
    const demo: Demo = JSON.parse(await readFile(join(folder, 'demo.json'), 'utf8'));
    const command = (args: readonly string[], stdin?: string) => runCommand(all, args, stdin);
    if (!hasGlobex) await addGlobex(folder, settings);
    return {
      url: server.url,
      /** The folder of its data. */
      folder,
      output: server.output,
      /** Runs `gatehouse` on the same database, such as `['token', 'list', '--as', email]`. */
      command,
      acme: { admin: demo.admin, member: demo.member },
      globex: { admin: GIL, member: HAL },
      async [Symbol.asyncDispose]() {
        await server[Symbol.asyncDispose]();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Adds the people of the account Globex to the data folder of a server, which may run. */
export async function addGlobex(folder: string, settings: Settings = {}): Promise<void> {
  const command = (args: readonly string[], stdin?: string) =>
    runCommand({ GATEHOUSE_DATA_DIR: folder, ...settings }, args, stdin);
  const accounts: { id: number; name: string }[] = JSON.parse(await command(['account', 'list', '--json']));
  const globex = String(accounts.find(({ name }) => name === 'Globex')?.id);
  for (const [{ email, password }, name, role] of [
    [GIL, 'Gil', 'admin'],
    [HAL, 'Hal', 'member'],
  ] as const) {
    const options = ['--account', globex, '--email', email, '--name', name, '--role', role];
    await command(['user', 'create', ...options, '--password-stdin'], `${password}\n`);
  }
}
