import { hostname, userInfo } from 'node:os';
import type { Operator } from '@gatehouse/domain';
import type { Cli, Gatehouse, MigrationListener } from './cli.ts';
import type { OpenDatabase } from './database.ts';
import type { Settings } from './settings.ts';

/** What a command has to work with when it runs as a process. Everything heavy is loaded when it is called for. */
export function createProcessCli(signal: AbortSignal): Cli {
  const settings = async () => (await import('./settings.ts')).readSettings(process.env);

  return {
    streams: process,
    signal,
    operator: operator(),
    path: process.argv[1] ?? '',

    async defaultFormat() {
      return (await settings()).TOKEN_FORMAT;
    },

    async open(): Promise<Gatehouse> {
      const [current, { connectReady }] = await Promise.all([settings(), import('./database.ts')]);
      return gatehouseOn(await connectReady(current), current);
    },

    async openAsItIs(): Promise<Gatehouse> {
      const [current, { connect }] = await Promise.all([settings(), import('./database.ts')]);
      return gatehouseOn(await connect(current, { mayCreate: false }), current);
    },

    async peek(): Promise<Gatehouse | undefined> {
      const [current, { connectIfReady }] = await Promise.all([settings(), import('./database.ts')]);
      const opened = await connectIfReady(current);
      return opened && gatehouseOn(opened, current);
    },

    async migrate(listener: MigrationListener) {
      const [current, { connect }, { migrateToLatest }] = await Promise.all([
        settings(),
        import('./database.ts'),
        import('@gatehouse/postgres'),
      ]);
      await using opened = await connect(current, { mayCreate: true });
      return { applied: await migrateToLatest(opened.database, listener) };
    },
  };
}

async function gatehouseOn(opened: OpenDatabase, settings: Settings): Promise<Gatehouse> {
  const { composeUseCases } = await import('./container.ts');
  return {
    ...composeUseCases(opened, settings, process.env),
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  };
}

function operator(): Operator {
  return { kind: 'operator', name: userName(), origin: hostname() };
}

/** In a container, the number of a user may have no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.()}`;
  }
}
