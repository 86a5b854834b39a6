import type { Repositories, Result } from '@gatehouse/domain';
import { NO_GUARDS } from '@gatehouse/domain/guards';
import { BUILT_IN, createCatalog } from '@gatehouse/domain/resources';
import { DEFAULT_SESSION_TIMES } from '@gatehouse/domain/sessions';
import { createKeyRing } from '@gatehouse/domain/signing-keys';
import type { TokenRepository } from '@gatehouse/domain/tokens';
import {
  createCredentialSecrets,
  createIdentityProviders,
  createLinkCodes,
  createMonotonicClock,
  createSystemClock,
  createUseCases,
  createUuidTokenIdGenerator,
  type UseCasePorts,
  type UseCases,
} from '@gatehouse/installation';
import { createKeyEncryption, parseMasterKey } from '@gatehouse/key-encryption';
import { createArgon2PasswordHasher } from '@gatehouse/password-argon2';
import { createPostgresRepositories, type Database, openDatabase } from '@gatehouse/postgres';
import { createJwtTokenSigner } from '@gatehouse/token-jwt';
import { createPasetoTokenSigner } from '@gatehouse/token-paseto';
import { createWebhookSecrets, createWebhookSender } from '@gatehouse/webhooks';
import type { Settings } from './node.ts';

/** A database without a server, and the commands' use cases without a process for each. */
export interface Store extends UseCases, AsyncDisposable {
  readonly database: Database;
  readonly ports: Repositories & UseCasePorts;
}

/** The actor of changes, as in commands. */
export const OPERATOR = { kind: 'operator', name: 'tester', origin: 'test' } as const;

/** Replaces a repository, for a sabotage twin. */
export type ReplaceTokens = (tokens: TokenRepository) => TokenRepository;

export function openInstallation(
  settings: Settings,
  replaceTokens: ReplaceTokens = (tokens) => tokens,
): Store {
  const { DATABASE_URL: url = '', GATEHOUSE_MASTER_KEY = '' } = settings;
  const database = openDatabase({ url, poolSize: 4 });
  const repositories = createPostgresRepositories(database);
  const masterKey = unwrap(parseMasterKey(GATEHOUSE_MASTER_KEY));
  const clock = createSystemClock();
  const ports = {
    ...repositories,
    catalog: createCatalog(BUILT_IN),
    tokens: replaceTokens(repositories.tokens),
    clock,
    ids: createUuidTokenIdGenerator(),
    credentialSecrets: createCredentialSecrets(),
    linkCodes: createLinkCodes(),
    identityProviders: createIdentityProviders([], {
      clock,
      monotonicClock: createMonotonicClock(),
      onProblem: () => undefined,
    }),
    issuer: { issuer: 'gatehouse', audience: 'gatehouse-api' },
    maxStalenessMs: 1000,
    mailer: undefined,
    guards: NO_GUARDS,
    webhookSecrets: createWebhookSecrets(),
    webhookSender: createWebhookSender({ networks: undefined, allowHttp: false }),
    sessionTimes: DEFAULT_SESSION_TIMES,
    keys: createKeyRing({ ...repositories, clock }),
    signers: [createPasetoTokenSigner(), createJwtTokenSigner()],
    encryption: createKeyEncryption({ masterKey }),
    passwords: createArgon2PasswordHasher({ concurrency: 1, queueLimit: 0 }),
  };
  return { ...createUseCases(ports), ports, database, [Symbol.asyncDispose]: () => database.close() };
}

export function unwrap<T>(result: Result<T, { readonly code: string }>): T {
  if (!result.ok) throw new Error(result.error.code);
  return result.value;
}
