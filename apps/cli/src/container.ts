import { createContainer, type Resolve, token } from '@gatehouse/container';
import * as domain from '@gatehouse/domain';
import { createSystemClock, createUuidTokenIdGenerator } from '@gatehouse/node-runtime';
import * as postgres from '@gatehouse/postgres';
import type { UseCases } from './gatehouse.ts';
import type { Environment, Settings } from './settings.ts';

const Clock = token<domain.Clock>('Clock');
const Accounts = token<domain.AccountRepository>('AccountRepository');
const Users = token<domain.UserRepository>('UserRepository');
const Organizations = token<domain.OrganizationRepository>('OrganizationRepository');
const Tokens = token<domain.TokenRepository>('TokenRepository');
const SigningKeys = token<domain.SigningKeyRepository>('SigningKeyRepository');

// Few commands need these, and they take long to load or want a master key: made when first asked for.
const Signers = token<Promise<readonly domain.TokenSigner[]>>('TokenSigners');
const Encryption = token<Promise<domain.KeyEncryption>>('KeyEncryption');
const Passwords = token<Promise<domain.PasswordHasher>>('PasswordHasher');

/** Puts the use cases together on a database that is open. */
export function composeUseCases(
  database: postgres.Database,
  settings: Settings,
  environment: Environment,
): UseCases {
  const { resolve } = createContainer()
    .provide(Clock, createSystemClock)
    .provide(Accounts, () => postgres.createPostgresAccountRepository(database))
    .provide(Users, () => postgres.createPostgresUserRepository(database))
    .provide(Organizations, () => postgres.createPostgresOrganizationRepository(database))
    .provide(Tokens, () => postgres.createPostgresTokenRepository(database))
    .provide(SigningKeys, () => postgres.createPostgresSigningKeyRepository(database))
    .provide(Signers, async () => {
      const [paseto, jwt] = await Promise.all([
        import('@gatehouse/token-paseto'),
        import('@gatehouse/token-jwt'),
      ]);
      return [paseto.createPasetoTokenSigner(), jwt.createJwtTokenSigner()];
    })
    .provide(Encryption, async (resolve) => {
      const { openKeyEncryption } = await import('./key-encryption.ts');
      return openKeyEncryption(settings, environment, resolve(SigningKeys));
    })
    .provide(Passwords, async () => {
      const { createArgon2PasswordHasher } = await import('@gatehouse/password-argon2');
      return createArgon2PasswordHasher({ concurrency: 1, queueLimit: 0 });
    });

  return useCases(resolve, settings);
}

function useCases(resolve: Resolve, settings: Settings): UseCases {
  const ports = {
    clock: resolve(Clock),
    accounts: resolve(Accounts),
    users: resolve(Users),
    organizations: resolve(Organizations),
    tokens: resolve(Tokens),
    signingKeys: resolve(SigningKeys),
  };
  const signing = async () => ({
    ...ports,
    signers: await resolve(Signers),
    encryption: await resolve(Encryption),
  });
  const issuer = { issuer: settings.TOKEN_ISSUER, audience: settings.TOKEN_AUDIENCE };
  return {
    actAs: domain.actAs(ports),
    activateKey: domain.activateKey({ ...ports, maxStalenessMs: settings.MAX_STALENESS_MS }),
    addMember: domain.addMember(ports),
    createAccount: domain.createAccount(ports),
    createKey: async (...args) => domain.createKey(await signing())(...args),
    createOrganization: domain.createOrganization(ports),
    createUser: async (...args) =>
      domain.createUser({ ...ports, passwords: await resolve(Passwords) })(...args),
    ensureKeys: async (...args) => domain.ensureKeys(await signing())(...args),
    issueToken: async (...args) =>
      domain.issueToken({ ...(await signing()), ids: createUuidTokenIdGenerator(), issuer })(...args),
    listAccounts: domain.listAccounts(ports),
    listKeys: domain.listKeys(ports),
    listOrganizations: domain.listOrganizations(ports),
    listTokens: domain.listTokens(ports),
    listUsers: domain.listUsers(ports),
    revokeToken: domain.revokeToken(ports),
    showToken: domain.showToken(ports),
  };
}
