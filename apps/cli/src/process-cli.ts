import { hostname, userInfo } from 'node:os';
import type { Operator } from '@gatehouse/domain';
import type { Cli } from './cli.ts';
import type { Gatehouse } from './gatehouse.ts';

/** What a command has to work with when it runs as a process. Everything heavy is loaded when it is called for. */
export function createProcessCli(signal: AbortSignal): Cli {
  const settings = async () => (await import('./settings.ts')).readSettings(process.env);

  return {
    streams: process,
    signal,
    operator: operator(),

    async defaultFormat() {
      return (await settings()).TOKEN_FORMAT;
    },

    async open(): Promise<Gatehouse> {
      const [current, { connectReady }, { composeUseCases }] = await Promise.all([
        settings(),
        import('./database.ts'),
        import('./container.ts'),
      ]);
      const { database, [Symbol.asyncDispose]: close } = await connectReady(current);
      return { ...composeUseCases(database, current, process.env), [Symbol.asyncDispose]: close };
    },

    async migrate() {
      const [current, { connect }, { migrateToLatest }] = await Promise.all([
        settings(),
        import('./database.ts'),
        import('@gatehouse/postgres'),
      ]);
      await using opened = await connect(current, { mayCreate: true });
      return { applied: await migrateToLatest(opened.database) };
    },
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
