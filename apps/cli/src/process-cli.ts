import { hostname, userInfo } from 'node:os';
import { CATALOG, EXTENSIONS } from '@gatehouse/extensions';
import type { OpenDatabase } from '@gatehouse/installation/open-database';
import type { Environment } from '@gatehouse/installation/settings';
import type { Cli, Gatehouse, Need } from './cli.ts';
import type { Prepared } from './prepare.ts';

/** The resources of this installation. */
const INSTALLED = { catalog: CATALOG, extensions: EXTENSIONS };

/** Creates the command line of a process. Large modules are loaded on first use. */
export function createProcessCli(
  environment: Environment,
  { signal, streams }: Pick<Cli, 'signal' | 'streams'>,
  resources: Pick<Cli, 'catalog' | 'extensions'> = INSTALLED,
): Cli {
  let prepared: Promise<Prepared> | undefined;
  // The settings are read once, because a file that they name may be a pipe, which can be read only once.
  function prepare(need?: Need): Promise<Prepared> {
    prepared ??= import('./prepare.ts').then((module) => module.prepare(environment, need));
    return prepared;
  }

  const ready = (need?: Need) => Promise.all([prepare(need), import('./database.ts')]);
  const warn = (text: string) => void streams.stderr.write(`warning: ${text}\n`);

  async function gatehouseOn(opened: OpenDatabase, prepared: Prepared): Promise<Gatehouse> {
    const { composeUseCases } = await import('./container.ts');
    return {
      ...composeUseCases(opened, { ...resources, prepared, environment, warn }),
      [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
    };
  }

  return {
    ...resources,
    streams,
    signal,
    operator: { kind: 'operator', name: userName(), origin: hostname() },
    path: process.argv[1] ?? '',

    defaultFormat: async () => (await prepare()).settings.TOKEN_FORMAT,

    async identityProviders() {
      const [{ settings }, installation] = await Promise.all([prepare(), import('@gatehouse/installation')]);
      return installation.createIdentityProviders(settings.IDENTITY_PROVIDERS_FILE, {
        clock: installation.createSystemClock(),
        monotonicClock: installation.createMonotonicClock(),
        onProblem: warn,
      });
    },

    askServer: async (path) => (await import('./server-health.ts')).askServer(environment, path),

    async open(need) {
      const [prepared, { connectReady, prepareExtension }] = await ready(need);
      const opened = await connectReady(prepared.settings, warn);
      const gatehouse = await gatehouseOn(opened, prepared);
      return {
        ...gatehouse,
        async useCasesOf(extension) {
          await prepareExtension(opened, extension);
          return gatehouse.useCasesOf(extension);
        },
      };
    },

    async openAsItIs() {
      const [prepared, { connect }] = await ready();
      return gatehouseOn(await connect(prepared.settings, warn), prepared);
    },

    async peek() {
      const [prepared, { connectIfReady }] = await ready();
      const opened = await connectIfReady(prepared.settings, warn);
      return opened && gatehouseOn(opened, prepared);
    },

    async migrate(listener) {
      const [{ settings }, { connect }] = await ready();
      const { migrateAll } = await import('./migrate-all.ts');
      await using opened = await connect(settings, warn, { mayCreate: true });
      return await migrateAll(opened.database, resources.extensions, listener);
    },
  };
}

/** Returns the name of the user of this process, or the user's number: a user in a container may have no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.()}`;
  }
}
