import { availableParallelism } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { cacheLimits, createReadCaches, type ReadCaches } from '@gatehouse/cache';
import { type Container, createContainer, token } from '@gatehouse/container';
import { type AccountRepository, createAccount, listAccounts } from '@gatehouse/domain/accounts';
import { createLease, createNextReads, type Lease as LeasePort } from '@gatehouse/domain/changes';
import {
  addMember,
  createOrganization,
  getOrganization,
  type OrganizationRepository,
} from '@gatehouse/domain/organizations';
import {
  boundSignIns,
  createRefusalPace,
  createSignInQueue,
  DEFAULT_REFUSAL_PACE,
  type RefusalRememberingThrottle,
  rememberRefusals,
  type SignInLimits,
  type SignInQueue as SignInQueuePort,
  signIn,
} from '@gatehouse/domain/sign-in';
import {
  checkMasterKey,
  createKeyRing,
  type EnsureKeys as EnsureKeysPort,
  ensureKeys,
  type KeyEncryption,
  listPublicKeys,
  type SigningKeyRepository,
} from '@gatehouse/domain/signing-keys';
import type { Clock as ClockPort, MonotonicClock as MonotonicClockPort } from '@gatehouse/domain/time';
import {
  authenticateToken,
  issueToken,
  type TokenRepository,
  type TokenSigner,
} from '@gatehouse/domain/tokens';
import { actAs, createUser, type UserRepository } from '@gatehouse/domain/users';
import { createFollowingKeyEncryption, type LoadedMasterKey } from '@gatehouse/key-encryption';
import { createMonotonicClock, createSystemClock, createUuidTokenIdGenerator } from '@gatehouse/node-runtime';
import {
  type Argon2PasswordHasher,
  createArgon2PasswordHasher,
  createHashingThreads,
} from '@gatehouse/password-argon2';
import * as postgres from '@gatehouse/postgres';
import { createJwtTokenSigner } from '@gatehouse/token-jwt';
import { createPasetoTokenSigner } from '@gatehouse/token-paseto';
import type { H3 } from 'h3';
import type { Logger } from 'pino';
import { createFeedLog, createUsageLog } from './adapter-logs.ts';
import { createApp } from './app.ts';
import { maxHeldRefusals } from './held-refusals.ts';
import { createAccessLog } from './http/access-log.ts';
import { createClientAddress } from './http/client-address.ts';
import { createCorsHeaders } from './http/cors.ts';
import type { Lifecycle } from './http/lifecycle.ts';
import { createRefusalLog } from './http/refusal-log.ts';
import { createMetrics, type Metrics } from './metrics/metrics.ts';
import { createOpsApp } from './ops/ops-app.ts';
import type { Settings } from './settings/settings.ts';
import type { DemoUseCases } from './start/demo-data.ts';
import { connectionsWithin, openFilesLimit } from './start/open-files.ts';
import type { Workers } from './workers/workers.ts';

export const Clock = token<ClockPort>('Clock');
export const MonotonicClock = token<MonotonicClockPort>('MonotonicClock');
export const Usage = token<postgres.PostgresUsageRecorder>('UsageRecorder');
export const Caches = token<ReadCaches>('ReadCaches');
const Lease = token<LeasePort>('Lease');
const Accounts = token<AccountRepository>('AccountRepository');
const Users = token<UserRepository>('UserRepository');
export const Organizations = token<OrganizationRepository>('OrganizationRepository');
export const Tokens = token<TokenRepository>('TokenRepository');
const Signers = token<readonly TokenSigner[]>('TokenSigners');
const Encryption = token<KeyEncryption>('KeyEncryption');
const Passwords = token<Argon2PasswordHasher>('PasswordHasher');
const SigningKeys = token<SigningKeyRepository>('SigningKeyRepository');

const SignInQueue = token<SignInQueuePort>('SignInQueue');
const SignInThrottle = token<RefusalRememberingThrottle>('SignInThrottle');

/** Of this process alone. */
export const ProcessMetrics = token<Metrics>('ProcessMetrics');
export const ChangeFeed = token<postgres.PostgresChangeFeed>('ChangeFeed');
export const EnsureKeys = token<EnsureKeysPort>('EnsureKeys');
export const CheckMasterKey = token<() => ReturnType<typeof checkMasterKey>>('CheckMasterKey');
export const Demo = token<DemoUseCases>('DemoUseCases');
export const App = token<H3>('App');
export const OpsApp = token<H3>('OpsApp');

export interface Environment {
  readonly settings: Settings;
  readonly database: postgres.Database;
  /** What `/ready` reads with, whatever the requests do to the other. */
  readonly readinessDatabase: postgres.Database;
  /** Leads to the database directly. */
  readonly listenUrl: string;
  readonly lifecycle: Lifecycle;
  readonly log: Logger;
  readonly masterKey: LoadedMasterKey;
  /** Where other processes serve. */
  readonly workers?: Pick<Workers, 'feedStates' | 'metrics'> | undefined;
}

/** Sign-ins that wait for their turn in one process; the last of them for a second or two. */
const MAX_QUEUED_SIGN_INS = 256;
/** Sign-ins of one network among them, so that others find room whatever one network sends. */
const MAX_QUEUED_SIGN_INS_PER_NETWORK = MAX_QUEUED_SIGN_INS / 4;
/** Longest a sign-in waits in the queue before 503, in milliseconds. */
const SIGN_IN_PATIENCE_MS = 5_000;
/** Sign-ins that are at work for each hash: enough to have one to hash while others wait for the database. */
const SIGN_INS_PER_HASH = 8;
/** Of the pool's connections, so many are left to others however many sign in. */
const SPARE_CONNECTIONS = 2;

/** Says how everything is made from adapters; nothing is made before it is resolved. */
export function composeServer(environment: Environment): Container {
  const { settings, database, readinessDatabase, listenUrl, lifecycle, log, masterKey, workers } =
    environment;
  const { MAX_STALENESS_MS: maxStalenessMs } = settings;
  const issuer = { issuer: settings.TOKEN_ISSUER, audience: settings.TOKEN_AUDIENCE };
  const limits: SignInLimits = {
    address: { attempts: settings.SIGN_IN_ADDRESS_ATTEMPTS, windowMs: settings.SIGN_IN_ADDRESS_WINDOW },
    account: { failures: settings.SIGN_IN_ACCOUNT_FAILURES, pauseMs: settings.SIGN_IN_ACCOUNT_PAUSE },
    knownAddress: {
      attempts: settings.SIGN_IN_KNOWN_ADDRESS_ATTEMPTS,
      windowMs: settings.SIGN_IN_KNOWN_ADDRESS_WINDOW,
      memoryMs: settings.SIGN_IN_KNOWN_ADDRESS_MEMORY,
    },
  };
  // One core is left for everything else, and workers share the others.
  const concurrency = Math.max(1, Math.floor(Math.min(4, availableParallelism() - 1) / settings.WORKERS));

  return createContainer()
    .provide(Clock, createSystemClock)
    .provide(MonotonicClock, createMonotonicClock)
    .provide(ChangeFeed, (resolve) =>
      postgres.createPostgresChangeFeed({
        listenUrl,
        database,
        maxStalenessMs,
        clock: resolve(Clock),
        monotonicClock: resolve(MonotonicClock),
        report: createFeedLog(log),
      }),
    )
    .provide(Usage, () => postgres.createPostgresUsageRecorder(database, { report: createUsageLog(log) }))
    .provide(Lease, (resolve) => {
      const clocks = { clock: resolve(Clock), monotonicClock: resolve(MonotonicClock) };
      return createLease({ feed: resolve(ChangeFeed), ...clocks, maxStalenessMs });
    })
    .provide(Caches, (resolve) =>
      createReadCaches({ feed: resolve(ChangeFeed), lease: resolve(Lease), limits: cacheLimits(settings) }),
    )
    .provide(Accounts, () => postgres.createPostgresAccountRepository(database))
    .provide(Users, () => postgres.createPostgresUserRepository(database))
    .provide(Organizations, () => postgres.createPostgresOrganizationRepository(database))
    .provide(Tokens, () => postgres.createPostgresTokenRepository(database))
    .provide(SigningKeys, () => postgres.createPostgresSigningKeyRepository(database))
    .provide(Signers, () => [createPasetoTokenSigner(), createJwtTokenSigner()])
    .provide(Encryption, (resolve) => createFollowingKeyEncryption(masterKey, resolve(Clock)))
    .provide(Passwords, () =>
      createArgon2PasswordHasher({
        concurrency,
        queueLimit: MAX_QUEUED_SIGN_INS,
        argon2: createHashingThreads(),
      }),
    )
    .provide(SignInQueue, (resolve) => {
      const queueLimits = {
        concurrency: Math.max(
          concurrency,
          Math.min(concurrency * SIGN_INS_PER_HASH, settings.DATABASE_POOL_SIZE - SPARE_CONNECTIONS),
        ),
        queued: MAX_QUEUED_SIGN_INS,
        queuedPerNetwork: MAX_QUEUED_SIGN_INS_PER_NETWORK,
        patienceMs: SIGN_IN_PATIENCE_MS,
      };
      return createSignInQueue(queueLimits, resolve(MonotonicClock));
    })
    .provide(SignInThrottle, (resolve) => {
      const throttle = postgres.createPostgresSignInThrottle(database, { limits, clock: resolve(Clock) });
      const monotonicClock = resolve(MonotonicClock);
      return rememberRefusals(throttle, { networkOf: postgres.clientNetwork, monotonicClock });
    })
    .provide(ProcessMetrics, (resolve) =>
      createMetrics({
        clock: resolve(Clock),
        feed: resolve(ChangeFeed),
        pool: database.poolState,
        hashing: () => {
          const { active, waiting } = resolve(Passwords).load();
          return { active, waiting: waiting + resolve(SignInQueue).load().waiting };
        },
        caches: resolve(Caches).reads,
        usage: resolve(Usage).backlog,
      }),
    )
    .provide(EnsureKeys, (resolve) =>
      ensureKeys({
        signingKeys: resolve(SigningKeys),
        signers: resolve(Signers),
        encryption: resolve(Encryption),
        clock: resolve(Clock),
      }),
    )
    .provide(CheckMasterKey, (resolve) => {
      const ports = { signingKeys: resolve(SigningKeys), encryption: resolve(Encryption) };
      return () => checkMasterKey(ports);
    })
    .provide(Demo, (resolve) => {
      const ports = {
        accounts: resolve(Accounts),
        users: resolve(Users),
        organizations: resolve(Organizations),
        tokens: resolve(Tokens),
        signingKeys: resolve(SigningKeys),
        signers: resolve(Signers),
        encryption: resolve(Encryption),
        passwords: resolve(Passwords),
        clock: resolve(Clock),
        ids: createUuidTokenIdGenerator(),
        issuer,
      };
      return {
        listAccounts: listAccounts(ports),
        createAccount: createAccount(ports),
        createUser: createUser(ports),
        createOrganization: createOrganization(ports),
        addMember: addMember(ports),
        actAs: actAs(ports),
        issueToken: issueToken(ports),
      };
    })
    .provide(App, (resolve) => {
      const clock = resolve(Clock);
      const signingKeys = resolve(SigningKeys);
      const signers = resolve(Signers);
      const tokens = resolve(Tokens);
      const caches = resolve(Caches);
      const publicKeys = { signingKeys: caches.cachedSigningKeys(signingKeys) };
      const usage = resolve(Usage);
      const metrics = resolve(ProcessMetrics);
      const throttle = resolve(SignInThrottle);
      const clientAddress = createClientAddress(settings.TRUST_PROXY);
      return createApp({
        authenticateToken: authenticateToken({
          signers: signers.map(caches.cachedSigner),
          keys: createKeyRing({ ...publicKeys, clock }),
          tokens: caches.cachedGrants(tokens),
          clock,
          issuer,
          usage,
        }),
        usage,
        getOrganization: getOrganization({
          organizations: caches.cachedOrganizations(resolve(Organizations)),
        }),
        signIn: boundSignIns(
          signIn({
            users: resolve(Users),
            passwords: resolve(Passwords),
            throttle,
            tokens,
            signingKeys,
            signers,
            encryption: resolve(Encryption),
            clock,
            ids: createUuidTokenIdGenerator(),
            issuer,
            format: settings.TOKEN_FORMAT,
            lifetimeMs: settings.SIGN_IN_TOKEN_TTL,
          }),
          {
            throttle,
            queue: resolve(SignInQueue),
            networkOf: postgres.clientNetwork,
            pace: createRefusalPace(DEFAULT_REFUSAL_PACE, resolve(MonotonicClock)),
            maxHeld: maxHeldRefusals(connectionsWithin(openFilesLimit(), settings.MAX_CONNECTIONS)),
            pause: (milliseconds) => delay(milliseconds),
          },
        ),
        listPublicKeys: listPublicKeys(publicKeys),
        clientAddress,
        refusalLog: createRefusalLog(log, clientAddress, metrics.refusals),
        signIns: metrics.signIns,
        requests: metrics.requests,
        issuedFormat: settings.TOKEN_FORMAT,
        lifecycle,
        log,
        corsHeaders: settings.CORS_ORIGINS.length > 0 ? createCorsHeaders(settings.CORS_ORIGINS) : undefined,
        accessLog: settings.ACCESS_LOG === 'on' ? createAccessLog(log, clientAddress) : undefined,
      });
    })
    .provide(OpsApp, (resolve) => {
      const schemaStates = createNextReads<'now', postgres.SchemaState>();
      const schemaState = () => schemaStates('now', () => postgres.schemaState(readinessDatabase));
      return createOpsApp({
        lifecycle,
        log,
        // A migration leaves what the version before needs: while it is rolled out, servers of that go on.
        databaseIsReady: async () => (await schemaState()) !== 'behind',
        feedStates: workers?.feedStates ?? (async () => [resolve(ChangeFeed).state()]),
        metrics: workers?.metrics ?? (async () => [await resolve(ProcessMetrics).snapshot()]),
      });
    });
}
