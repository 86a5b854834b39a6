import {
  createCredentialSecrets,
  createGuards,
  createIdentityProviders,
  createLinkCodes,
  createMailer,
  createMonotonicClock,
  createSystemClock,
  createUuidTokenIdGenerator,
  loadExtension,
} from '@gatehouse/installation';
import type { OpenDatabase } from '@gatehouse/installation/open-database';
import { createPostgresRepositories } from '@gatehouse/postgres';
import type { Gatehouse } from './cli.ts';
import { requireMasterKey, type Surroundings } from './prepare.ts';
import { createCommandUseCases, type LazyPorts } from './use-cases.ts';

/** Composes the use cases on an open database. */
export function composeUseCases(
  opened: Pick<OpenDatabase, 'database' | 'listenAddress'>,
  surroundings: Surroundings,
): Omit<Gatehouse, keyof AsyncDisposable> {
  const { database } = opened;
  const { catalog, prepared } = surroundings;
  const { settings } = prepared;
  const clock = createSystemClock();
  const repositories = createPostgresRepositories(database);
  const { signingKeys, organizations } = repositories;
  const ports = {
    ...repositories,
    catalog,
    clock,
    ids: createUuidTokenIdGenerator(),
    credentialSecrets: createCredentialSecrets(),
    linkCodes: createLinkCodes(),
    guards: createGuards(surroundings.extensions, {
      report: (extension, action, error) =>
        surroundings.warn(`the guard of ${action} of the extension ${extension} failed: ${error}`),
    }),
    identityProviders: createIdentityProviders(settings.IDENTITY_PROVIDERS_FILE, {
      clock,
      monotonicClock: createMonotonicClock(),
      onProblem: surroundings.warn,
    }),
    mailer: createMailer(settings, surroundings.warn),
    maxStalenessMs: settings.MAX_STALENESS_MS,
    sessionTimes: { idleMs: settings.SESSION_IDLE, lifetimeMs: settings.SESSION_LIFETIME },
    issuer: { issuer: settings.TOKEN_ISSUER, audience: settings.TOKEN_AUDIENCE },
  };
  // The following ports are created on first use, because few commands need them, and each loads slowly or requires a
  // master key.
  const lazy: LazyPorts = {
    signers: once(async () => {
      const { createPasetoTokenSigner } = await import('@gatehouse/token-paseto');
      const { createJwtTokenSigner } = await import('@gatehouse/token-jwt');
      return [createPasetoTokenSigner(), createJwtTokenSigner()];
    }),
    encryption: once(async () => {
      const { createFollowingKeyEncryption } = await import('@gatehouse/key-encryption');
      return createFollowingKeyEncryption(await requireMasterKey(prepared, signingKeys), clock);
    }),
    sealCryptography: once(async () => (await import('@gatehouse/key-encryption')).createSealCryptography()),
    passwords: once(async () => {
      const { createArgon2PasswordHasher } = await import('@gatehouse/password-argon2');
      return createArgon2PasswordHasher({ concurrency: 1, queueLimit: 0 });
    }),
    webhookSecrets: once(async () => (await import('@gatehouse/webhooks')).createWebhookSecrets()),
    webhookSender: once(async () => {
      const { createWebhookSender } = await import('@gatehouse/webhooks');
      const { WEBHOOK_NETWORKS: networks, WEBHOOK_HTTP: http } = settings;
      return createWebhookSender({ networks, allowHttp: http === 'allow' });
    }),
    masterKeys: once(async () => {
      const { createMasterKeys } = await import('./master-keys.ts');
      return createMasterKeys({ ...surroundings, database, signingKeys, clock });
    }),
    probes: once(async () => (await import('./probes.ts')).createProbes(opened, { ...surroundings, clock })),
  };
  return {
    ...createCommandUseCases(ports, lazy),
    useCasesOf: async (extension) => (await loadExtension(extension))({ database, organizations, clock }),
  };
}

/** Returns a function that calls `make` at its first call. Every call returns the result of that call. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
