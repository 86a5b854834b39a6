import type { Account, AccountId } from '../src/accounts/index.ts';
import type { AuditEvent } from '../src/audit/index.ts';
import type { Repositories, Result } from '../src/index.ts';
import type { Organization, OrganizationId, OrganizationReader } from '../src/organizations/index.ts';
import type { NewSession, SessionFormKey, SessionId, SessionSecretHash } from '../src/sessions/index.ts';
import type { KeyId, SealedSecret, SigningKey } from '../src/signing-keys/index.ts';
import type { Instant } from '../src/time/index.ts';
import type {
  Revocation,
  SignInGuard,
  Successor,
  Token,
  TokenFormat,
  TokenId,
  TokenRecord,
} from '../src/tokens/index.ts';
import type { Email, PasswordHash, Role, User, UserId } from '../src/users/index.ts';

/** The initial time of the tests' clocks: 2026-01-01T00:00:00Z. */
export const START = 1_767_225_600_000 as Instant;

let serial = 0;
const next = () => {
  serial += 1;
  return serial;
};

/** Returns the value of a result; an error fails the test. */
export function unwrap<T>(result: Result<T, unknown>): T {
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}

/** Creates an event. Tests give the fields that they compare. */
export function anEvent(parts: Partial<AuditEvent> = {}): AuditEvent {
  return {
    at: START,
    actor: { kind: 'operator', name: 'tester' },
    origin: 'test',
    action: 'account.created',
    subject: { type: 'account', id: '1' },
    accountId: null,
    details: {},
    ...parts,
  };
}

export function aRevocation(parts: Partial<Revocation> = {}): Revocation {
  return { at: START, by: { kind: 'operator', name: 'tester' }, reason: null, ...parts };
}

/** Creates a UUID of version 7 that sorts by the order of the calls. */
export function aTokenId(): TokenId {
  return `01890000-0000-7000-8000-${next().toString(16).padStart(12, '0')}` as TokenId;
}

export function aSigningKey(parts: Partial<SigningKey> = {}): SigningKey {
  return {
    id: `key-${next()}` as KeyId,
    format: 'paseto',
    state: 'staged',
    publicKey: new Uint8Array(32).fill(7),
    sealedSecret: 'sealed' as SealedSecret,
    createdAt: START,
    activatedAt: null,
    retiredAt: null,
    ...parts,
  };
}

export async function givenAccount(store: Repositories, name = 'Acme'): Promise<Account> {
  return store.accounts.insert({ name, createdAt: START }, () => anEvent());
}

/** The password hash of users that fixtures create; it matches no password. */
export const A_HASH = '$test$hash' as PasswordHash;

export async function givenUser(
  store: Repositories,
  accountId: AccountId,
  parts: { readonly role?: Role; readonly email?: string; readonly passwordHash?: PasswordHash } = {},
): Promise<User> {
  const email = (parts.email ?? `user-${next()}@acme.example`) as Email;
  const user = { accountId, name: 'Ada', role: 'admin', passwordHash: A_HASH, createdAt: START } as const;
  return unwrap(await store.users.insert({ ...user, ...parts, email }, () => anEvent()));
}

/** Creates an admin of a new account. */
export async function givenAdmin(store: Repositories): Promise<User> {
  return givenUser(store, (await givenAccount(store)).id);
}

/** Creates two admins of a new account: the last one of an account can be neither disabled nor demoted. */
export async function givenAdmins(store: Repositories): Promise<readonly [User, User]> {
  const admin = await givenAdmin(store);
  return [admin, await givenUser(store, admin.accountId)];
}

/** Creates a reader of organizations, by default an admin of the account of `anOrganization`. */
export function aReader(parts: Partial<OrganizationReader> = {}): OrganizationReader {
  return { userId: 1 as UserId, accountId: 1 as AccountId, ...parts };
}

/** The user as a reader of organizations. */
export function readerFrom({ id, accountId }: User): OrganizationReader {
  return { userId: id, accountId };
}

/** Creates an organization without storing it. */
export function anOrganization(parts: Partial<Organization> = {}): Organization {
  return {
    id: 42 as OrganizationId,
    accountId: 1 as AccountId,
    name: 'Press shop',
    description: null,
    createdAt: START,
    ...parts,
  };
}

export async function givenOrganization(store: Repositories, accountId: AccountId): Promise<Organization> {
  const { id: _, ...organization } = anOrganization({ accountId });
  return unwrap(await store.organizations.insert(organization, () => anEvent()));
}

export async function givenMember(store: Repositories, organizationId: OrganizationId, userId: UserId) {
  unwrap(await store.organizations.addMember({ organizationId, userId, at: START }, anEvent()));
}

/** Returns the format's active key, and creates one if there is none. */
export async function givenActiveKey(store: Repositories, format: TokenFormat = 'paseto') {
  const active = await store.signingKeys.findActive(format);
  if (active) return active;
  const key = aSigningKey({ format, state: 'active', activatedAt: START });
  await store.signingKeys.insert(key, anEvent());
  return key;
}

/** Creates a token record for this user without storing it. */
export function aToken(user: User, key: SigningKey, parts: Partial<Token> = {}): Token {
  return {
    id: aTokenId(),
    accountId: user.accountId,
    userId: user.id,
    subject: user.id,
    kind: 'api',
    name: `Token ${next()}`,
    format: key.format,
    keyId: key.id,
    scopes: ['*'],
    networks: null,
    createdAt: START,
    expiresAt: null,
    revocation: null,
    replaces: null,
    replacedAt: null,
    ...parts,
  };
}

/** Creates the hash of a secret that no session has. */
export function aSecretHash(): SessionSecretHash {
  return aTokenId().replaceAll('-', '').padStart(64, '0') as SessionSecretHash;
}

/** Creates a session of this user without storing it. */
export function aSession(user: Pick<User, 'id'>, parts: Partial<NewSession> = {}): NewSession {
  const id = aTokenId() as string as SessionId;
  return {
    id,
    userId: user.id,
    secretHash: id.replaceAll('-', '').padStart(64, '0') as SessionSecretHash,
    formKey: id.replaceAll('-', '').padEnd(64, '0') as SessionFormKey,
    createdAt: START,
    lastSeenAt: START,
    passwordGivenAt: START,
    origin: '192.0.2.1',
    userAgent: 'Firefox',
    provider: null,
    ...parts,
  };
}

/** Stores a session without ending others. */
export async function givenSession(
  store: Repositories,
  user: Pick<User, 'id'>,
  parts: Partial<NewSession> = {},
  secondFactorAt: Instant | null = null,
): Promise<NewSession> {
  const session = aSession(user, parts);
  const never = 0 as Instant;
  const bound = { keep: 1000, createdAfter: never, seenAfter: never };
  const audit = { created: anEvent(), ended: () => anEvent() };
  unwrap(await store.sessions.insert(session, { verifiedHash: A_HASH, secondFactorAt }, bound, audit));
  return session;
}

/** Creates the record of an accepted token, with these ids, without storing it. */
export function aTokenRecord(parts: Partial<TokenRecord> = {}): TokenRecord {
  const { accountId = 1 as AccountId, userId = 1 as UserId, keyId = 'key-1' as KeyId } = parts;
  const account = { id: accountId, name: 'Acme', createdAt: START, suspendedAt: null };
  const email = 'ada@acme.example' as Email;
  const user: User = {
    id: userId,
    accountId,
    kind: 'person',
    email,
    name: 'Ada',
    role: 'admin',
    createdAt: START,
    disabledAt: null,
    confirmedUntil: null,
  };
  const token = aToken(user, aSigningKey({ id: keyId }), { name: 'ERP' });
  return { ...token, account, user, keyState: 'active', ...parts };
}

/** Creates the successor of this token without storing it. */
export function aSuccessor(token: Token, parts: Partial<Token> = {}, graceMs = 0): Successor {
  return { ...token, id: aTokenId(), replacedAt: null, ...parts, replaces: { tokenId: token.id, graceMs } };
}

/** Stores a token's successor as a rotation does. */
export async function givenSuccessor(store: Repositories, ...parts: Parameters<typeof aSuccessor>) {
  const successor = aSuccessor(...parts);
  unwrap(await store.tokens.rotate(successor, { by: successor.userId }, [anEvent(), anEvent()]));
  return successor;
}

export async function givenToken(store: Repositories, user: User, parts: Partial<Token> = {}) {
  const token = aToken(user, await givenActiveKey(store, parts.format), parts);
  await storeToken(store, token);
  return token;
}

/** A guard that every user of these fixtures passes. */
export const A_GUARD: SignInGuard = { verifiedHash: A_HASH, needsActiveKey: false, keep: 1000 };

async function storeToken({ tokens }: Repositories, token: Token): Promise<void> {
  if (token.kind === 'sign-in') unwrap(await tokens.insertSignIn(token, A_GUARD, anEvent()));
  else unwrap(await tokens.insert(token, anEvent()));
}
