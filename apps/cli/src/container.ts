import { createSystemClock, createUuidTokenIdGenerator, loadExtension } from '@gatehouse/installation';
import type { OpenDatabase } from '@gatehouse/installation/open-database';
import type { Environment } from '@gatehouse/installation/settings';
import { createPostgresRepositories } from '@gatehouse/postgres';
import type { Cli, Gatehouse } from './cli.ts';
import type { Prepared } from './prepare.ts';
import { createCommandUseCases, type LazyPorts } from './use-cases.ts';

interface Surroundings extends Pick<Cli, 'catalog' | 'extensions'> {
  /** Prints a line for the user. */
  warn(text: string): void;
}

/** Composes the use cases on an open database. */
export function composeUseCases(
  { database, listenAddress }: Pick<OpenDatabase, 'database' | 'listenAddress'>,
  prepared: Prepared,
  environment: Environment,
  { catalog, extensions, warn }: Surroundings,
): Omit<Gatehouse, keyof AsyncDisposable> {
  const { settings } = prepared;
  const clock = createSystemClock();
  const repositories = createPostgresRepositories(database);
  const { signingKeys, organizations } = repositories;
  const ports = {
    ...repositories,
    catalog,
    clock,
    ids: createUuidTokenIdGenerator(),
    maxStalenessMs: settings.MAX_STALENESS_MS,
    issuer: { issuer: settings.TOKEN_ISSUER, audience: settings.TOKEN_AUDIENCE },
  };
  let loading: Promise<LazyPorts> | undefined;
  function lazy(): Promise<LazyPorts> {
    loading ??= import('./lazy-services.ts').then(({ createLazyServices }) =>
      createLazyServices({
        ...{ database, listenAddress, prepared, environment, extensions, signingKeys, clock, warn },
      }),
    );
    return loading;
  }
  return {
    ...createCommandUseCases(ports, lazy),
    useCasesOf: async (extension) => (await loadExtension(extension))({ database, organizations, clock }),
  };
}
