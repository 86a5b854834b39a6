import type { Result } from '@gatehouse/domain';
import { type CreateAccount, createAccount } from '@gatehouse/domain/accounts';
import {
  type AddMember,
  addMember,
  type CreateOrganization,
  createOrganization,
} from '@gatehouse/domain/organizations';
import { type EnsureKeys, ensureKeys } from '@gatehouse/domain/signing-keys';
import {
  type IssueToken,
  issueToken,
  type RevokeToken,
  revokeToken,
  type TokenRepository,
} from '@gatehouse/domain/tokens';
import { type ActAs, actAs, type CreateUser, createUser } from '@gatehouse/domain/users';
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
  readonly createAccount: CreateAccount;
  readonly createUser: CreateUser;
  readonly createOrganization: CreateOrganization;
  readonly addMember: AddMember;
  readonly ensureKeys: EnsureKeys;
  readonly actAs: ActAs;
  readonly issueToken: IssueToken;
  readonly revokeToken: RevokeToken;
}

/** Puts another repository in the place of the real one, for a twin that has to be found out. */
export type ReplaceTokens = (tokens: TokenRepository) => TokenRepository;

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
    createAccount: createAccount(ports),
    createUser: createUser(ports),
    createOrganization: createOrganization(ports),
    addMember: addMember(ports),
    ensureKeys: ensureKeys(ports),
    actAs: actAs(ports),
    issueToken: issueToken(ports),
    revokeToken: revokeToken(ports),
    [Symbol.asyncDispose]: () => database.close(),
  };
}

export function unwrap<T>(result: Result<T, { readonly code: string }>): T {
  if (!result.ok) throw new Error(result.error.code);
  return result.value;
}
