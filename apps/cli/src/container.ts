import { createContainer, token } from '@gatehouse/container';
import type { AccountRepository } from '@gatehouse/domain/accounts';
import type { AuditLog } from '@gatehouse/domain/audit';
import type { ChangeFeedProbe as ChangeFeedProbePort } from '@gatehouse/domain/health';
import type { OrganizationRepository } from '@gatehouse/domain/organizations';
import type { KeyEncryption, SigningKeyRepository } from '@gatehouse/domain/signing-keys';
import type { SuggestionSource } from '@gatehouse/domain/suggestions';
import type { Clock as ClockPort } from '@gatehouse/domain/time';
import type { TokenRepository, TokenSigner, UsageFeed as UsageFeedPort } from '@gatehouse/domain/tokens';
import type { PasswordHasher, UserRepository } from '@gatehouse/domain/users';
import { createMonotonicClock, createSystemClock, createUuidTokenIdGenerator } from '@gatehouse/node-runtime';
import * as postgres from '@gatehouse/postgres';
import type { OpenDatabase } from './database.ts';
import type { Prepared } from './prepare.ts';
import type { Environment } from './settings.ts';
import { createUseCases, type UseCases } from './use-cases.ts';

const Clock = token<ClockPort>('Clock');
const Accounts = token<AccountRepository>('AccountRepository');
const Users = token<UserRepository>('UserRepository');
const Organizations = token<OrganizationRepository>('OrganizationRepository');
const Tokens = token<TokenRepository>('TokenRepository');
const SigningKeys = token<SigningKeyRepository>('SigningKeyRepository');
const Audit = token<AuditLog>('AuditLog');
const Suggestions = token<SuggestionSource>('SuggestionSource');
const UsageFeed = token<UsageFeedPort>('UsageFeed');
const ChangeFeedProbe = token<ChangeFeedProbePort>('ChangeFeedProbe');

// Few commands need these, and they take long to load or want a master key: made when first asked for.
const Signers = token<Promise<readonly TokenSigner[]>>('TokenSigners');
const Encryption = token<Promise<KeyEncryption>>('KeyEncryption');
const Passwords = token<Promise<PasswordHasher>>('PasswordHasher');

const UNREADABLE_USAGE =
  'notifications that this version cannot read are passed over: a newer server sends them, or another role of this PostgreSQL; `gatehouse doctor` says whether others may connect';

/** Puts the use cases together on a database that is open. `warn` takes a line for the person at the command line. */
export function composeUseCases(
  { database, listenUrl }: Pick<OpenDatabase, 'database' | 'listenUrl'>,
  prepared: Prepared,
  environment: Environment,
  warn: (text: string) => void,
): UseCases {
  const { settings } = prepared;
  const { resolve } = createContainer()
    .provide(Clock, createSystemClock)
    .provide(Accounts, () => postgres.createPostgresAccountRepository(database))
    .provide(Users, () => postgres.createPostgresUserRepository(database))
    .provide(Organizations, () => postgres.createPostgresOrganizationRepository(database))
    .provide(Tokens, () => postgres.createPostgresTokenRepository(database))
    .provide(SigningKeys, () => postgres.createPostgresSigningKeyRepository(database))
    .provide(Audit, () => postgres.createPostgresAuditLog(database))
    .provide(Suggestions, () => postgres.createPostgresSuggestionSource(database))
    .provide(UsageFeed, () =>
      postgres.createPostgresUsageFeed({ listenUrl, database, onUnreadable: () => warn(UNREADABLE_USAGE) }),
    )
    .provide(ChangeFeedProbe, (resolve) =>
      postgres.createPostgresChangeFeedProbe({
        listenUrl,
        database,
        maxStalenessMs: settings.MAX_STALENESS_MS,
        clock: resolve(Clock),
        monotonicClock: createMonotonicClock(),
      }),
    )
    .provide(Signers, async () => {
      const [paseto, jwt] = await Promise.all([
        import('@gatehouse/token-paseto'),
        import('@gatehouse/token-jwt'),
      ]);
      return [paseto.createPasetoTokenSigner(), jwt.createJwtTokenSigner()];
    })
    .provide(Encryption, async (resolve) => {
      const { openKeyEncryption } = await import('./key-encryption.ts');
      const ports = { signingKeys: resolve(SigningKeys), clock: resolve(Clock) };
      return openKeyEncryption(prepared, ports);
    })
    .provide(Passwords, async () => {
      const { createArgon2PasswordHasher } = await import('@gatehouse/password-argon2');
      return createArgon2PasswordHasher({ concurrency: 1, queueLimit: 0 });
    });

  return createUseCases({
    clock: resolve(Clock),
    ids: createUuidTokenIdGenerator(),
    accounts: resolve(Accounts),
    users: resolve(Users),
    organizations: resolve(Organizations),
    tokens: resolve(Tokens),
    signingKeys: resolve(SigningKeys),
    audit: resolve(Audit),
    suggestions: resolve(Suggestions),
    usageFeed: resolve(UsageFeed),
    usageRecorders: postgres.createPostgresUsageRecorderHealth(database),
    storeProbe: postgres.createPostgresStoreProbe(database),
    changeFeedProbe: resolve(ChangeFeedProbe),
    issuer: { issuer: settings.TOKEN_ISSUER, audience: settings.TOKEN_AUDIENCE },
    maxStalenessMs: settings.MAX_STALENESS_MS,
    signers: () => resolve(Signers),
    encryption: () => resolve(Encryption),
    async findMasterKey() {
      const { findMasterKey } = await import('./find-master-key.ts');
      return findMasterKey(settings, environment, resolve(Clock));
    },
    async masterKeys() {
      const { createMasterKeys } = await import('./master-keys.ts');
      const ports = { signingKeys: resolve(SigningKeys), clock: resolve(Clock) };
      return createMasterKeys({ ...ports, prepared, database, warn });
    },
    passwords: () => resolve(Passwords),
  });
}
