import { createMonotonicClock, loadStoredExtensions } from '@gatehouse/installation';
import { createContainer } from '@gatehouse/installation/container';
import type { OpenDatabase } from '@gatehouse/installation/open-database';
import type { Environment } from '@gatehouse/installation/settings';
import * as postgres from '@gatehouse/postgres';
import type { Cli } from './cli.ts';
import type { Prepared } from './prepare.ts';
import type { CommandPorts, LazyPorts } from './use-cases.ts';

const UNREADABLE_USAGE =
  'ignoring notifications that this version cannot read: a newer server sends them, or another role of this PostgreSQL; `gatehouse doctor` says whether others may connect';

export interface LazyServicesOptions
  extends Pick<Cli, 'extensions'>,
    Pick<CommandPorts, 'signingKeys' | 'clock'>,
    Pick<OpenDatabase, 'database' | 'listenAddress'> {
  readonly prepared: Prepared;
  readonly environment: Environment;
  /** Prints a line for the user. */
  warn(text: string): void;
}

/** Creates the services that few commands need. Each is created on first use: it loads slowly, or requires a master key. */
export function createLazyServices(options: LazyServicesOptions): LazyPorts {
  const { prepared, environment, extensions, signingKeys, clock, database, warn } = options;
  const { url: listenUrl } = options.listenAddress;
  const { services } = createContainer().provide({
    signers: async () => {
      const { createPasetoTokenSigner } = await import('@gatehouse/token-paseto');
      const { createJwtTokenSigner } = await import('@gatehouse/token-jwt');
      return [createPasetoTokenSigner(), createJwtTokenSigner()];
    },
    encryption: async () => {
      const { requireMasterKey } = await import('./master-keys.ts');
      const { createFollowingKeyEncryption } = await import('@gatehouse/key-encryption');
      return createFollowingKeyEncryption(await requireMasterKey(prepared, signingKeys), clock);
    },
    sealCryptography: async () => {
      const { createSealCryptography } = await import('@gatehouse/key-encryption');
      return createSealCryptography();
    },
    passwords: async () => {
      const { createArgon2PasswordHasher } = await import('@gatehouse/password-argon2');
      return createArgon2PasswordHasher({ concurrency: 1, queueLimit: 0 });
    },
    masterKeys: async () => {
      const { createMasterKeys } = await import('./master-keys.ts');
      return createMasterKeys({ signingKeys, clock, prepared, database, warn });
    },
    probes: async () => ({
      usageFeed: postgres.createPostgresUsageFeed({
        listenUrl,
        database,
        onUnreadable: () => warn(UNREADABLE_USAGE),
      }),
      usageRecorders: postgres.createPostgresUsageRecorderHealth(database),
      storeProbe: postgres.createPostgresStoreProbe(database),
      extensionSchemas: postgres.createPostgresExtensionSchemas(database, () =>
        loadStoredExtensions(extensions),
      ),
      changeFeedProbe: postgres.createPostgresChangeFeedProbe({
        listenUrl,
        database,
        maxStalenessMs: prepared.settings.MAX_STALENESS_MS,
        clock,
        monotonicClock: createMonotonicClock(),
      }),
      async findMasterKey() {
        const { findMasterKey } = await import('@gatehouse/installation/master-key');
        return findMasterKey(environment, clock);
      },
      async findOpenRoutes() {
        const { findOpenRoutes } = await import('@gatehouse/installation/open-routes');
        return findOpenRoutes(extensions);
      },
    }),
  });
  return services;
}
