import { hostname, userInfo } from 'node:os';
import type { Operator } from '@gatehouse/domain/access';
import type { OpenDatabase } from '@gatehouse/installation/open-database';
import type { Environment } from '@gatehouse/installation/settings';
import type { Cli, Gatehouse, MigrationListener, Need } from './cli.ts';
import type { Prepared } from './prepare.ts';

/** The environment of a command; tests pass their own settings and streams. */
interface ProcessContext extends Pick<Cli, 'signal' | 'streams'> {
  readonly environment: Environment;
}

/** Creates the command line of a process. Large modules are loaded on first use. */
export function createProcessCli({ signal, environment, streams }: ProcessContext): Cli {
  const prepare = async (need?: Need) => (await import('./prepare.ts')).prepare(environment, need);

  async function gatehouseOn(opened: OpenDatabase, prepared: Prepared): Promise<Gatehouse> {
    const { composeUseCases } = await import('./container.ts');
    const warn = (text: string) => void streams.stderr.write(`warning: ${text}\n`);
    return {
      ...composeUseCases(opened, prepared, environment, warn),
      [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
    };
  }

  return {
    streams,
    signal,
    operator: operator(),
    path: process.argv[1] ?? '',

    async defaultFormat() {
      return (await prepare()).settings.TOKEN_FORMAT;
    },

    async open(need): Promise<Gatehouse> {
      const [prepared, { connectReady }] = await Promise.all([prepare(need), import('./database.ts')]);
      return gatehouseOn(await connectReady(prepared.settings), prepared);
    },

    async openAsItIs(): Promise<Gatehouse> {
      const [prepared, { connect }] = await Promise.all([prepare(), import('./database.ts')]);
      return gatehouseOn(await connect(prepared.settings, { mayCreate: false }), prepared);
    },

    async peek(): Promise<Gatehouse | undefined> {
      const [prepared, { connectIfReady }] = await Promise.all([prepare(), import('./database.ts')]);
      const opened = await connectIfReady(prepared.settings);
      return opened && gatehouseOn(opened, prepared);
    },

    async migrate(listener: MigrationListener) {
      const [{ settings }, { connect }] = await Promise.all([prepare(), import('./database.ts')]);
      const { migrateToLatest } = await import('@gatehouse/postgres');
      await using opened = await connect(settings, { mayCreate: true });
      return await migrateToLatest(opened.database, listener);
    },
  };
}

function operator(): Operator {
  return { kind: 'operator', name: userName(), origin: hostname() };
}

/** Falls back to the number of the user, which in a container may have no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.()}`;
  }
}
