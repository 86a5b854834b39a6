import * as domain from '@gatehouse/domain';
import { createKeyEncryption, parseMasterKey } from '@gatehouse/key-encryption';
import { createSystemClock, createUuidTokenIdGenerator } from '@gatehouse/node-runtime';
import { createArgon2PasswordHasher } from '@gatehouse/password-argon2';
import * as postgres from '@gatehouse/postgres';
import { createJwtTokenSigner } from '@gatehouse/token-jwt';
import { createPasetoTokenSigner } from '@gatehouse/token-paseto';
import type { Settings } from './node.ts';

/** A database from outside any server, and what the commands do with it, without a process for each. */
export interface Store extends AsyncDisposable {
  readonly database: postgres.Database;
  readonly createAccount: domain.CreateAccount;
  readonly createUser: domain.CreateUser;
  readonly createOrganization: domain.CreateOrganization;
  readonly addMember: domain.AddMember;
  readonly ensureKeys: domain.EnsureKeys;
  readonly actAs: domain.ActAs;
  readonly issueToken: domain.IssueToken;
  readonly revokeToken: domain.RevokeToken;
}

/** Puts another repository in the place of the real one, for a twin that has to be found out. */
export type ReplaceTokens = (tokens: domain.TokenRepository) => domain.TokenRepository;

export function openStore(settings: Settings, replaceTokens: ReplaceTokens = (tokens) => tokens): Store {
  const { DATABASE_URL: url = '', GATEHOUSE_MASTER_KEY = '' } = settings;
  const database = postgres.openDatabase({ url, poolSize: 4 });
  const ports = {
    accounts: postgres.createPostgresAccountRepository(database),
    users: postgres.createPostgresUserRepository(database),
    organizations: postgres.createPostgresOrganizationRepository(database),
    tokens: replaceTokens(postgres.createPostgresTokenRepository(database)),
    signingKeys: postgres.createPostgresSigningKeyRepository(database),
    signers: [createPasetoTokenSigner(), createJwtTokenSigner()],
    encryption: createKeyEncryption({ masterKey: unwrap(parseMasterKey(GATEHOUSE_MASTER_KEY)) }),
    passwords: createArgon2PasswordHasher({ concurrency: 1, queueLimit: 0 }),
    clock: createSystemClock(),
    ids: createUuidTokenIdGenerator(),
    issuer: { issuer: 'gatehouse', audience: 'gatehouse-api' },
  };
  return {
    database,
    createAccount: domain.createAccount(ports),
    createUser: domain.createUser(ports),
    createOrganization: domain.createOrganization(ports),
    addMember: domain.addMember(ports),
    ensureKeys: domain.ensureKeys(ports),
    actAs: domain.actAs(ports),
    issueToken: domain.issueToken(ports),
    revokeToken: domain.revokeToken(ports),
    [Symbol.asyncDispose]: () => database.close(),
  };
}

export function unwrap<T>(result: domain.Result<T, { readonly code: string }>): T {
  if (!result.ok) throw new Error(result.error.code);
  return result.value;
}
