import { setTimeout as delay } from 'node:timers/promises';
import { createReadCaches } from '@gatehouse/cache';
import { createContainer } from '@gatehouse/container';
import { UnavailableFault } from '@gatehouse/domain';
import { createCoalescedReads, createFreshnessCheck } from '@gatehouse/domain/changes';
import type { SchemaState } from '@gatehouse/domain/health';
import { getOrganization } from '@gatehouse/domain/organizations';
import { sweepSessions } from '@gatehouse/domain/sessions';
import * as signIns from '@gatehouse/domain/sign-in';
import { createKeyRing, listPublicKeys } from '@gatehouse/domain/signing-keys';
import { authenticateToken, forgetAddresses, withoutAddresses } from '@gatehouse/domain/tokens';
import { CATALOG } from '@gatehouse/extensions';
import * as installation from '@gatehouse/installation';
import { createFollowingKeyEncryption, type LoadedMasterKey } from '@gatehouse/key-encryption';
import { createArgon2PasswordHasher, createHashingThreads } from '@gatehouse/password-argon2';
import * as postgres from '@gatehouse/postgres';
import { createJwtTokenSigner } from '@gatehouse/token-jwt';
import { createPasetoTokenSigner } from '@gatehouse/token-paseto';
import type { Logger } from 'pino';
import { createFeedLog, createUsageLog } from './adapter-logs.ts';
import { createApp } from './app.ts';
import { createAccessLog } from './http/access-log.ts';
import { createClientAddress } from './http/client-address.ts';
import { createCorsHeaders } from './http/cors.ts';
import type { Lifecycle } from './http/lifecycle.ts';
import { createRefusalLog } from './http/refusal-log.ts';
import { createMetrics } from './metrics/metrics.ts';
import { createOpsApp } from './ops/ops-app.ts';
import { inPageTurns } from './page-turns.ts';
import { createSessionUseCases } from './sessions/session-use-cases.ts';
import { cacheLimits } from './settings/cache-settings.ts';
import type { Settings } from './settings/settings.ts';
import * as capacity from './settings/sign-in-capacity.ts';
import type { LoadedExtension } from './start/load-extension.ts';
import { connectionsWithin, openFilesLimit } from './start/open-files.ts';
import type { Workers } from './workers/workers.ts';

/** The longest that a route of an extension may take, in milliseconds. */
const ANSWER_WITHIN_MS = 10_000;

export interface Environment {
  readonly settings: Settings;
  readonly database: postgres.Database;
  /** Used by `/ready` only, so that requests cannot exhaust its connection. */
  readonly readinessDatabase: postgres.Database;
  /** The address of the database itself, not of a connection pooler. */
  readonly listenUrl: string;
  readonly lifecycle: Lifecycle;
  readonly log: Logger;
  readonly masterKey: LoadedMasterKey;
  readonly extensions: readonly LoadedExtension[];
  /** The workers, if they answer the requests. */
  readonly workers?: Pick<Workers, 'feedStates' | 'metrics'> | undefined;
}

export type ServerContainer = ReturnType<typeof composeServer>;
/** The services of a server, each created on first use. */
export type RunningServer = ServerContainer['services'];

/** Composes the server from adapters; every service is created on first use. */
export function composeServer(environment: Environment) {
  const { settings, database, readinessDatabase, listenUrl, lifecycle, log, masterKey } = environment;
  const { extensions, workers } = environment;
  const { MAX_STALENESS_MS: maxStalenessMs } = settings;
  const issuer = { issuer: settings.TOKEN_ISSUER, audience: settings.TOKEN_AUDIENCE };
  const sessionTimes = { idleMs: settings.SESSION_IDLE, lifetimeMs: settings.SESSION_LIFETIME };
  const ids = installation.createUuidTokenIdGenerator();

  return createContainer()
    .provide('clock', installation.createSystemClock)
    .provide('monotonicClock', installation.createMonotonicClock)
    .provide('repositories', () => postgres.createPostgresRepositories(database))
    .provide('feed', ({ clock, monotonicClock }) =>
      postgres.createPostgresChangeFeed({
        listenUrl,
        database,
        maxStalenessMs,
        clock,
        monotonicClock,
        report: createFeedLog(log),
      }),
    )
    .provide('usage', () => {
      const recorder = postgres.createPostgresUsageRecorder(database, { report: createUsageLog(log) });
      return settings.USAGE_ADDRESSES === 'off' ? withoutAddresses(recorder) : recorder;
    })
    .provide('forgetAddresses', ({ repositories: { tokens }, clock }) => forgetAddresses({ tokens, clock }))
    .provide('isFresh', ({ feed, clock, monotonicClock }) =>
      createFreshnessCheck({ feed, clock, monotonicClock, maxStalenessMs }),
    )
    .provide('caches', ({ feed, isFresh }) =>
      createReadCaches({ feed, isFresh, limits: cacheLimits(settings) }),
    )
    .provide('signers', () => [createPasetoTokenSigner(), createJwtTokenSigner()])
    .provide('encryption', ({ clock }) => createFollowingKeyEncryption(masterKey, clock))
    .provide('passwords', () =>
      createArgon2PasswordHasher({
        concurrency: capacity.concurrentHashes(settings),
        queueLimit: capacity.MAX_QUEUED_SIGN_INS,
        argon2: createHashingThreads(),
      }),
    )
    .provide('signInQueue', ({ monotonicClock }) =>
      signIns.createSignInQueue(capacity.signInQueueLimits(settings), monotonicClock),
    )
    .provide('credentialPorts', ({ clock, monotonicClock, repositories, passwords, signInQueue: queue }) => {
      const networkOf = postgres.clientNetwork;
      const stored = postgres.createPostgresSignInThrottle(database, {
        limits: capacity.signInLimits(settings),
        clock,
      });
      const throttle = signIns.cacheRefusals(stored, { networkOf, monotonicClock });
      const limitSignIn = signIns.limitSignIns({
        throttle,
        queue,
        networkOf,
        pace: signIns.createRefusalRateLimit(signIns.DEFAULT_REFUSAL_RATE, monotonicClock),
        maxHeld: capacity.maxHeldRefusals(connectionsWithin(openFilesLimit(), settings.MAX_CONNECTIONS)),
        pause: (milliseconds) => delay(milliseconds),
      });
      return { users: repositories.users, passwords, throttle, limitSignIn };
    })
    .provide('sessions', ({ clock, repositories, credentialPorts }) =>
      createSessionUseCases({
        ...credentialPorts,
        sessions: repositories.sessions,
        sessionSecrets: installation.createSessionSecrets(),
        sessionTimes,
        clock,
      }),
    )
    .provide('sweepSessions', ({ clock, repositories: { sessions } }) =>
      sweepSessions({ sessions, sessionTimes, clock }),
    )
    .provide('metrics', (services) =>
      createMetrics({
        clock: services.clock,
        feed: services.feed,
        pool: database.poolState,
        hashing: () => {
          const { active, waiting } = services.passwords.load();
          return { active, waiting: waiting + services.signInQueue.load().waiting };
        },
        caches: services.caches.reads,
        usage: services.usage.backlog,
      }),
    )
    .provide('useCases', (services) =>
      installation.createUseCases({
        ...services.repositories,
        catalog: CATALOG,
        clock: services.clock,
        ids,
        issuer,
        maxStalenessMs,
        signers: async () => services.signers,
        encryption: async () => services.encryption,
        passwords: async () => services.passwords,
      }),
    )
    .provide('organizations', ({ caches, repositories }) =>
      caches.cachedOrganizations(repositories.organizations),
    )
    .provide('app', (services) => {
      const { clock, repositories, signers, caches, usage, metrics } = services;
      const { signingKeys, tokens } = repositories;
      const publicKeys = { signingKeys: caches.cachedSigningKeys(signingKeys) };
      const clientAddress = createClientAddress(settings.TRUST_PROXY);
      return createApp({
        authenticateToken: authenticateToken({
          signers: signers.map(caches.cachedSigner),
          keys: createKeyRing({ ...publicKeys, clock }),
          tokens: caches.cachedTokenRecords(tokens),
          clock,
          issuer,
          usage,
        }),
        usage,
        getOrganization: getOrganization({ organizations: services.organizations }),
        signIn: signIns.signIn({
          ...services.credentialPorts,
          tokens,
          signers,
          encryption: services.encryption,
          clock,
          ids,
          issuer,
          signingKeys,
          format: settings.TOKEN_FORMAT,
          lifetimeMs: settings.SIGN_IN_TOKEN_TTL,
        }),
        listPublicKeys: listPublicKeys(publicKeys),
        clientAddress,
        refusalLog: createRefusalLog(log, clientAddress, metrics.refusals),
        signIns: metrics.signIns,
        requests: metrics.requests,
        issuedFormat: settings.TOKEN_FORMAT,
        extensions: extensions.map(({ createRoutes }) => ({
          routes: createRoutes({
            database,
            organizations: services.organizations,
            clock,
            remember: caches.rememberRows,
          }),
          deadline: (settled) => failAfter(ANSWER_WITHIN_MS, settled),
        })),
        lifecycle,
        log,
        corsHeaders: settings.CORS_ORIGINS.length > 0 ? createCorsHeaders(settings.CORS_ORIGINS) : undefined,
        pages:
          settings.PAGES === 'on'
            ? {
                catalog: CATALOG,
                publicUrl: settings.PUBLIC_URL,
                clock,
                ids,
                pause: (milliseconds: number) => delay(milliseconds),
                ...inPageTurns({ ...services.useCases, ...services.sessions }, settings.DATABASE_POOL_SIZE),
              }
            : undefined,
        accessLog: settings.ACCESS_LOG === 'on' ? createAccessLog(log, clientAddress) : undefined,
      });
    })
    .provide('opsApp', (services) => {
      const schemaStates = createCoalescedReads<'now', SchemaState>();
      const schemaState = () => schemaStates('now', () => postgres.schemaState(readinessDatabase));
      return createOpsApp({
        lifecycle,
        log,
        // A migration keeps what the previous version needs, so that its servers keep working during a rolling update.
        databaseIsReady: async () => (await schemaState()) !== 'behind',
        feedStates: workers?.feedStates ?? (async () => [services.feed.state()]),
        metrics: workers?.metrics ?? (async () => [await services.metrics.snapshot()]),
        monotonicClock: services.monotonicClock,
      });
    });
}

async function failAfter(milliseconds: number, signal: AbortSignal): Promise<never> {
  await delay(milliseconds, undefined, { signal });
  throw new UnavailableFault(`no answer within ${milliseconds} ms`);
}
