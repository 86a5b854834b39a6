import { setTimeout as delay } from 'node:timers/promises';
import { createReadCaches } from '@gatehouse/cache';
import { sealAuditEvents } from '@gatehouse/domain/audit';
import { createFreshnessCheck } from '@gatehouse/domain/changes';
import { findOrganizationLosses } from '@gatehouse/domain/extensions';
import type { SchemaState } from '@gatehouse/domain/health';
import * as identityProviders from '@gatehouse/domain/identity-providers';
import * as links from '@gatehouse/domain/links';
import { getOrganization } from '@gatehouse/domain/organizations';
import * as secondFactor from '@gatehouse/domain/second-factor';
import {
  authenticateService,
  introspectToken,
  readTokenChanges,
  refreshTokens,
  reportTokenUses,
  verifyScope,
  withoutReportedAddresses,
} from '@gatehouse/domain/services';
import * as sessions from '@gatehouse/domain/sessions';
import * as signIns from '@gatehouse/domain/sign-in';
import { createKeyRing, listPublicKeys } from '@gatehouse/domain/signing-keys';
import { recordTimeEvents } from '@gatehouse/domain/time-events';
import {
  authenticateToken,
  authenticateUnrecorded,
  forgetAddresses,
  withoutAddresses,
} from '@gatehouse/domain/tokens';
import { CATALOG } from '@gatehouse/extensions';
import { createClientAddress } from '@gatehouse/front';
import * as installation from '@gatehouse/installation';
import { createContainer } from '@gatehouse/installation/container';
import { createFollowingKeyEncryption, createSealCryptography } from '@gatehouse/key-encryption';
import { createArgon2PasswordHasher, createHashingThreads } from '@gatehouse/password-argon2';
import * as postgres from '@gatehouse/postgres';
import { createCoalescedReads } from '@gatehouse/queues';
import { createTokenChanges, createTokenHandles } from '@gatehouse/token-changes';
import { createJwtTokenSigner } from '@gatehouse/token-jwt';
import { createPasetoTokenSigner } from '@gatehouse/token-paseto';
import { createWebhookSecrets, createWebhookSender } from '@gatehouse/webhooks';
import { createApp } from './app.ts';
import type { Environment } from './composition/environment.ts';
import { countedMailer, createMailing } from './composition/mail.ts';
import { createProviderNotes } from './composition/provider-notes.ts';
import { createSignInAdmission } from './composition/sign-in-admission.ts';
import { failAfterLimit } from './extension-routes.ts';
import { createFeedLog, createGuardLog, createUsageLog } from './logging/adapter-logs.ts';
import { createAccessLog, createRefusalLog } from './logging/request-logs.ts';
import { createMailMetrics } from './metrics/mail-metrics.ts';
import { createMetrics } from './metrics/metrics.ts';
import { createReactionMetrics } from './metrics/reaction-metrics.ts';
import { createWebhookMetrics } from './metrics/webhook-metrics.ts';
import { createOpsApp } from './ops/ops-app.ts';
import { cacheLimits } from './settings/cache-settings.ts';
import * as capacity from './settings/sign-in-capacity.ts';

export type ServerContainer = ReturnType<typeof composeServer>;
/** The services of a server. Each service is created when it is used for the first time. */
export type RunningServer = ServerContainer['services'];

/** The use cases of the sign-in with identity providers that check no rule. Only servers have them. */
const PROVIDER_SIGN_INS = {
  beginProviderSignIn: identityProviders.beginProviderSignIn,
  completeProviderSignIn: identityProviders.completeProviderSignIn,
  endProviderSessions: identityProviders.endProviderSessions,
  listProviders: identityProviders.listProviders,
};

/**
 * The use cases of browser sessions, which only servers have. The four at the end are listed separately,
 * because they have no rule: they run before the caller is known.
 */
const SESSIONS = {
  ...installation.useCasesIn(sessions),
  ...installation.without(installation.useCasesIn(secondFactor), installation.ADMINISTRATION),
  openSession: sessions.openSession,
  completeSignIn: secondFactor.completeSignIn,
  findPendingSignIn: secondFactor.findPendingSignIn,
  findSession: sessions.findSession,
};

/** The use cases of people who have the code of a link, or ask for one. They have no rule either. */
const REDEEMING = {
  findInvitation: links.findInvitation,
  acceptInvitation: links.acceptInvitation,
  findResetLink: links.findResetLink,
  resetPassword: links.resetPassword,
  requestPasswordReset: links.requestPasswordReset,
};

/** Sweeps one batch of each kind of rows. */
const sweepAll =
  (...sweeps: readonly (() => Promise<{ readonly more: boolean }>)[]) =>
  async () => ({ more: (await Promise.all(sweeps.map((sweep) => sweep()))).some(({ more }) => more) });

/** Calls the function after so many milliseconds. Returns a function that prevents the call. */
function callAfter(milliseconds: number, call: () => void): () => void {
  const timer = setTimeout(call, milliseconds).unref();
  return () => clearTimeout(timer);
}

const NO_SPANS = { sent: 0, queue_full: 0, not_sent: 0 };

/**
 * Connects the use cases of the server with their adapters. Each service is created when it is used for the first time.
 */
export function composeServer(environment: Environment) {
  const { settings, database, readinessDatabase, lifecycle, log, masterKey, tracing, workers } = environment;
  const { address, listenAddress, isEmbedded } = environment;
  const { MAX_STALENESS_MS: maxStalenessMs } = settings;
  const issuer = { issuer: settings.TOKEN_ISSUER, audience: settings.TOKEN_AUDIENCE };
  const sessionTimes = { idleMs: settings.SESSION_IDLE, lifetimeMs: settings.SESSION_LIFETIME };
  const ids = installation.createUuidTokenIdGenerator();

  return createContainer()
    .provide({
      clock: installation.createSystemClock,
      monotonicClock: installation.createMonotonicClock,
      // The process that runs reactions has them. With workers, that is the primary process.
      reactionMetrics: createReactionMetrics,
      repositories: () => postgres.createPostgresRepositories(database),
      usage() {
        const recorder = postgres.createPostgresUsageRecorder(database, { report: createUsageLog(log) });
        return settings.USAGE_ADDRESSES === 'off' ? withoutAddresses(recorder) : recorder;
      },
      signers: () => [createPasetoTokenSigner(), createJwtTokenSigner()],
      passwords: () =>
        createArgon2PasswordHasher({
          concurrency: capacity.concurrentHashes(settings),
          queueLimit: capacity.MAX_QUEUED_SIGN_INS,
          argon2: createHashingThreads(),
        }),
    })
    .provide({
      usageReports: ({ repositories: { usageReports } }) =>
        settings.USAGE_ADDRESSES === 'off' ? withoutReportedAddresses(usageReports) : usageReports,
      feed: ({ clock, monotonicClock }) =>
        postgres.createPostgresChangeFeed({
          listenUrl: listenAddress.url,
          database,
          addressProbe: isEmbedded
            ? undefined
            : {
                listensElsewhere: postgres.currentUrl(listenAddress.url) !== postgres.currentUrl(address.url),
              },
          maxStalenessMs,
          clock,
          monotonicClock,
          report: createFeedLog(log),
        }),
      encryption: ({ clock }) => createFollowingKeyEncryption(masterKey, clock),
      webhookMetrics: createWebhookMetrics,
      webhookSecrets: createWebhookSecrets,
      webhookSender: () =>
        createWebhookSender({
          networks: settings.WEBHOOK_NETWORKS,
          allowHttp: settings.WEBHOOK_HTTP === 'allow',
        }),
      identityProviders: ({ clock, monotonicClock }) =>
        installation.createIdentityProviders(settings.IDENTITY_PROVIDERS_FILE, {
          clock,
          monotonicClock,
          onProblem: (problem) => log.warn(problem),
        }),
      mailMetrics: createMailMetrics,
      mailer: () => installation.createMailer(settings, (problem) => log.warn(problem)),
      signInAdmission: (services) => createSignInAdmission(environment, services),
      forgetAddresses: ({ repositories: { tokens }, clock }) => forgetAddresses({ tokens, clock }),
      sweepSessions: ({ clock, repositories }) =>
        sweepAll(
          sessions.sweepSessions({ sessions: repositories.sessions, sessionTimes, clock }),
          secondFactor.sweepPendingSignIns({ secondFactors: repositories.secondFactors, clock }),
        ),
      sweepAttempts: ({ clock, repositories: { attempts, resetLinks } }) =>
        sweepAll(
          identityProviders.sweepAttempts({ attempts, clock }),
          links.sweepResetRequests({ resetLinks, clock }),
        ),
      recordTimeEvents: ({ clock, repositories: { timeEvents, editions } }) =>
        recordTimeEvents({ timeEvents, editions, clock }),
    })
    .provide({
      isFresh: ({ feed, clock, monotonicClock }) =>
        createFreshnessCheck({ feed, clock, monotonicClock, maxStalenessMs }),
      sessions: ({ clock, repositories, signInAdmission, encryption }) =>
        installation.make(SESSIONS, {
          ...signInAdmission.ports,
          secondFactors: repositories.secondFactors,
          secondFactorSecrets: installation.createSecondFactorSecrets(),
          signingKeys: repositories.signingKeys,
          editions: repositories.editions,
          encryption,
          sessions: repositories.sessions,
          sessionSecrets: installation.createSessionSecrets(),
          sessionTimes,
          clock,
          onBehalf: postgres.onBehalf,
        }),
      redeeming: ({ clock, repositories: { invitations, resetLinks }, signInAdmission }) =>
        installation.make(REDEEMING, {
          ...signInAdmission.ports,
          linkCodes: installation.createLinkCodes(),
          invitations,
          resetLinks,
          clock,
        }),
      providerSignIns: ({ clock, repositories, passwords, signInAdmission, identityProviders: providers }) =>
        installation.make(PROVIDER_SIGN_INS, {
          ...signInAdmission.ports,
          ...repositories,
          attemptSecrets: installation.createAttemptSecrets(),
          identityProviders: providers,
          linkCodes: installation.createLinkCodes(),
          sessionSecrets: installation.createSessionSecrets(),
          sessionTimes,
          passwords,
          clock,
        }),
      sealAuditEvents: ({ clock, repositories, encryption }) =>
        sealAuditEvents({ ...repositories, encryption, sealCryptography: createSealCryptography(), clock }),
    })
    .provide({
      caches: ({ feed, isFresh }) => createReadCaches({ feed, isFresh, limits: cacheLimits(settings) }),
    })
    .provide({
      organizations: ({ caches, repositories }) => caches.cachedOrganizations(repositories.organizations),
      cachedServices: ({ caches, repositories }) => caches.cachedServices(repositories.services),
      publicKeys: ({ caches, repositories }) => ({
        signingKeys: caches.cachedSigningKeys(repositories.signingKeys),
      }),
    })
    .provide({
      tokenHandles: ({ repositories }) => createTokenHandles(repositories),
    })
    .provide({
      tokenChanges: ({ feed, isFresh, cachedServices, tokenHandles, clock, monotonicClock }) =>
        createTokenChanges({
          feed,
          isFresh,
          services: cachedServices,
          handles: tokenHandles,
          clock,
          monotonicClock,
          maxStalenessMs,
          after: callAfter,
        }),
    })
    .provide({
      metrics: ({ clock, feed, passwords, signInAdmission, caches, usage, tokenChanges }) =>
        createMetrics({
          clock,
          feed,
          pool: database.poolState,
          hashing() {
            const { active, waiting } = passwords.load();
            return { active, waiting: waiting + signInAdmission.load().waiting };
          },
          caches: caches.reads,
          usage: usage.backlog,
          streams: tokenChanges.streams,
          spans: tracing?.spans ?? (() => NO_SPANS),
        }),
    })
    .provide({
      /** Undefined if messages cannot be sent. */
      mailing: ({ mailer, mailMetrics, repositories, clock }) =>
        mailer && settings.PUBLIC_URL !== undefined
          ? createMailing({
              mailer: countedMailer(mailer, mailMetrics.count),
              repositories,
              linkCodes: installation.createLinkCodes(),
              clock,
              publicUrl: settings.PUBLIC_URL,
            })
          : undefined,
      useCases: ({
        repositories,
        cachedServices,
        mailer,
        clock,
        signers,
        encryption,
        passwords,
        identityProviders: providers,
        webhookSecrets,
        webhookSender,
      }) =>
        installation.createUseCases({
          ...repositories,
          services: cachedServices,
          mailer,
          catalog: CATALOG,
          guards: installation.createGuards(
            environment.extensions.map(({ guarding }) => guarding),
            { report: createGuardLog(log) },
          ),
          clock,
          ids,
          credentialSecrets: installation.createCredentialSecrets(),
          linkCodes: installation.createLinkCodes(),
          identityProviders: providers,
          issuer,
          maxStalenessMs,
          sessionTimes,
          keys: createKeyRing({ ...repositories, clock }),
          signers,
          encryption,
          passwords,
          webhookSecrets,
          webhookSender,
        }),
      /** The ports with which tokens of requests are authenticated. */
      authentication: ({ signers, caches, publicKeys, repositories, clock, usage }) => ({
        signers: signers.map(caches.cachedSigner),
        keys: createKeyRing({ ...publicKeys, clock }),
        tokens: caches.cachedTokenRecords(repositories.tokens),
        onBehalf: postgres.onBehalf,
        clock,
        issuer,
        usage,
      }),
    })
    .provide({
      app(services) {
        const { clock, repositories, organizations, signers, publicKeys, usage, metrics } = services;
        const { signingKeys, tokens } = repositories;
        const extensionSchemas = postgres.createPostgresExtensionSchemas(database, async () =>
          environment.extensions.map(({ stored }) => stored),
        );
        return createApp({
          authenticateToken: authenticateToken(services.authentication),
          authenticateUnrecorded: authenticateUnrecorded(services.authentication),
          authenticateService: authenticateService({
            services: services.cachedServices,
            credentialSecrets: installation.createCredentialSecrets(),
            clock,
            usage,
          }),
          introspectToken: introspectToken({
            ...services.authentication,
            introspection: repositories.introspection,
          }),
          readTokenChanges: readTokenChanges(services),
          refreshTokens: refreshTokens({
            ...services.authentication,
            introspection: repositories.introspection,
          }),
          tokenHandles: services.tokenHandles,
          reportTokenUses: reportTokenUses({
            usageReports: services.usageReports,
            onBehalf: postgres.onBehalf,
            clock,
            pause: (milliseconds) => delay(milliseconds),
          }),
          verifyScope: verifyScope({ services: services.cachedServices, usage }),
          issuer,
          usage,
          getOrganization: getOrganization({ organizations }),
          listReadableOrganizations: services.useCases.listReadableOrganizations,
          signIn: signIns.signIn({
            ...services.signInAdmission.ports,
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
          clientAddress: createClientAddress(settings.TRUST_PROXY),
          refusalLog: createRefusalLog(log, metrics.refusals),
          signIns: metrics.signIns,
          requests: metrics.requests,
          traceAnswer: tracing?.answered,
          issuedFormat: settings.TOKEN_FORMAT,
          extensions: environment.extensions.map(({ createRoutes }) => ({
            routes: createRoutes({ database, organizations, clock, remember: services.caches.rememberRows }),
            deadline: failAfterLimit,
            onBehalfOf: postgres.onBehalf.ofUser,
          })),
          lifecycle,
          log,
          publicUrl: settings.PUBLIC_URL,
          corsOrigins: settings.CORS_ORIGINS,
          pages:
            settings.PAGES === 'off'
              ? undefined
              : {
                  catalog: CATALOG,
                  clock,
                  ids,
                  pause: (milliseconds) => delay(milliseconds),
                  useCases: {
                    ...services.useCases,
                    ...services.sessions,
                    ...services.redeeming,
                    ...services.providerSignIns,
                    findOrganizationLosses: findOrganizationLosses({ ...repositories, extensionSchemas }),
                  },
                  ...createProviderNotes({ log, ...metrics }),
                  onPageOf: postgres.onPageOf,
                  isProxyTrusted: settings.TRUST_PROXY !== undefined,
                  passwordSignIn: settings.PASSWORD_SIGN_IN,
                  isMailSetUp: services.mailer !== undefined && settings.PUBLIC_URL !== undefined,
                },
          accessLog: settings.ACCESS_LOG === 'on' ? createAccessLog(log) : undefined,
        });
      },
      // The primary process of several workers has neither a feed nor metrics of its own, and these are not created for
      // it.
      opsApp: (services) => {
        const schemaStates = createCoalescedReads<'now', SchemaState>();
        const schemaState = () => schemaStates('now', () => postgres.schemaState(readinessDatabase));
        return createOpsApp({
          lifecycle,
          log,
          // If a newer version of Gatehouse has migrated the database, this server still counts as ready: a migration
          // keeps everything that the previous version needs, so that servers of that version keep working during a
          // rolling update.
          databaseIsReady: async () => (await schemaState()) !== 'behind',
          feedStates: workers?.feedStates ?? (async () => [services.feed.state()]),
          async metrics() {
            const ofRequests = await (workers?.metrics() ?? [await services.metrics.snapshot()]);
            const { reactionMetrics, mailMetrics, webhookMetrics } = services;
            const ofWork = [reactionMetrics, mailMetrics, webhookMetrics].map((each) => each.snapshot());
            return [...ofRequests, ...(await Promise.all(ofWork))];
          },
          monotonicClock: services.monotonicClock,
        });
      },
    });
}
