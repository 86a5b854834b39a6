import {
  createExtensionUseCases,
  createMonotonicClock,
  createSystemClock,
  createUuidTokenIdGenerator,
  loadStoredExtensions,
} from '@gatehouse/installation';
import { createContainer } from '@gatehouse/installation/container';
import type { OpenDatabase } from '@gatehouse/installation/open-database';
import type { Environment } from '@gatehouse/installation/settings';
import * as postgres from '@gatehouse/postgres';
import type { Cli, Gatehouse } from './cli.ts';
import type { Prepared } from './prepare.ts';
import { createCommandUseCases } from './use-cases.ts';

const UNREADABLE_USAGE =
  'notifications that this version cannot read are passed over: a newer server sends them, or another role of this PostgreSQL; `gatehouse doctor` says whether others may connect';

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
  const { url: listenUrl } = listenAddress;
  const clock = createSystemClock();
  const repositories = postgres.createPostgresRepositories(database);
  const { signingKeys } = repositories;
  const onUnreadable = () => warn(UNREADABLE_USAGE);
  // Created on first use, because few commands need them and they load slowly or require a master key.
  const { services: lazy } = createContainer()
    .provide('signers', async () => {
      const { createPasetoTokenSigner } = await import('@gatehouse/token-paseto');
      const { createJwtTokenSigner } = await import('@gatehouse/token-jwt');
      return [createPasetoTokenSigner(), createJwtTokenSigner()];
    })
    .provide('encryption', async () => {
      const { requireMasterKey } = await import('./master-keys.ts');
      const { createFollowingKeyEncryption } = await import('@gatehouse/key-encryption');
      return createFollowingKeyEncryption(await requireMasterKey(prepared, signingKeys), clock);
    })
    .provide('sealCryptography', async () => {
      const { createSealCryptography } = await import('@gatehouse/key-encryption');
      return createSealCryptography();
    })
    .provide('passwords', async () => {
      const { createArgon2PasswordHasher } = await import('@gatehouse/password-argon2');
      return createArgon2PasswordHasher({ concurrency: 1, queueLimit: 0 });
    })
    .provide('masterKeys', async () => {
      const { createMasterKeys } = await import('./master-keys.ts');
      return createMasterKeys({ signingKeys, clock, prepared, database, warn });
    });

  const ports = {
    ...repositories,
    catalog,
    clock,
    ids: createUuidTokenIdGenerator(),
    usageFeed: postgres.createPostgresUsageFeed({ listenUrl, database, onUnreadable }),
    usageRecorders: postgres.createPostgresUsageRecorderHealth(database),
    storeProbe: postgres.createPostgresStoreProbe(database),
    extensionSchemas: postgres.createPostgresExtensionSchemas(database, () =>
      loadStoredExtensions(extensions),
    ),
    changeFeedProbe: postgres.createPostgresChangeFeedProbe({
      listenUrl,
      database,
      maxStalenessMs: settings.MAX_STALENESS_MS,
      clock,
      monotonicClock: createMonotonicClock(),
    }),
    issuer: { issuer: settings.TOKEN_ISSUER, audience: settings.TOKEN_AUDIENCE },
    maxStalenessMs: settings.MAX_STALENESS_MS,
    async findMasterKey() {
      const { findMasterKey } = await import('@gatehouse/installation/master-key');
      return findMasterKey(environment, clock);
    },
    async findOpenRoutes() {
      const { findOpenRoutes } = await import('@gatehouse/installation/open-routes');
      return findOpenRoutes(extensions);
    },
  };
  const { organizations } = repositories;
  return {
    ...createCommandUseCases(ports, lazy),
    useCasesOf: (extension) => createExtensionUseCases(extension, { database, organizations, clock }),
  };
}
