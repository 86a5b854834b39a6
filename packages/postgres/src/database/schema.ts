import type { Account, AccountId } from '@gatehouse/domain/accounts';
import type {
  Actor,
  AuditAction,
  AuditEvent,
  AuditPosition,
  AuditSeal,
  SealKey,
} from '@gatehouse/domain/audit';
import type { Attempt, LinkedIdentity, ProviderId } from '@gatehouse/domain/identity-providers';
import type { Invitation, PasswordReset, ResetLink } from '@gatehouse/domain/links';
import type { NoticePreferences } from '@gatehouse/domain/mail';
import type { Organization, OrganizationId } from '@gatehouse/domain/organizations';
import type { DeliveryId, Lane, ReactionName } from '@gatehouse/domain/reactions';
import type { PendingSignIn, SecondFactor } from '@gatehouse/domain/second-factor';
import type {
  CredentialId,
  HandleSecret,
  Service,
  ServiceCredential,
  ServiceName,
  ServiceScope,
} from '@gatehouse/domain/services';
import type { Session, SessionId } from '@gatehouse/domain/sessions';
import type { SigningKey } from '@gatehouse/domain/signing-keys';
import type { Instant } from '@gatehouse/domain/time';
import type { TokenHolder, TokenLimits, TokenRules } from '@gatehouse/domain/token-policy';
import type { TokenId, UsageRefusal } from '@gatehouse/domain/tokens';
import type { Email, EmailKey, PasswordHash, User, UserId, UserKind } from '@gatehouse/domain/users';
import type { Json, NullableTimestamp, Timestamp } from '@gatehouse/extension-kit/postgres';
import type { ColumnType, Generated, GeneratedAlways, Kysely } from 'kysely';
import type { TokenTable } from '../tokens/token-columns.ts';
import type { WebhookAttemptTable, WebhookTable } from '../webhooks/webhook-records.ts';
import type { Numbered, Stored } from './domain-names.ts';

export type SigningKeyTable = Stored<SigningKey>;

interface TokenUsageTable {
  token_id: TokenId;
  last_used_at: NullableTimestamp;
  last_refused_at: NullableTimestamp;
  last_refused_reason: UsageRefusal | null;
  last_refused_by: ServiceName | null;
}

/** Which provider opened the session: all columns or, with a password, none. */
interface SessionTable extends Stored<Omit<Session, 'provider'>> {
  provider: ProviderId | null;
  issuer: string | null;
  subject: string | null;
  provider_session: string | null;
  secret_hash: Uint8Array;
  form_key: Uint8Array;
  replaced_hash: Uint8Array | null;
  replaced_at: NullableTimestamp;
  is_renewal_due: Generated<boolean>;
}

interface IdentityTable extends Stored<LinkedIdentity> {
  user_id: UserId;
}

interface SignInAttemptTable extends Stored<Pick<Attempt, 'provider' | 'next' | 'createdAt'>> {
  state_hash: Uint8Array;
  browser_hash: Uint8Array;
  purpose: Attempt['purpose']['kind'];
  session_id: SessionId | null;
  user_id: UserId | null;
  invitation_hash: Uint8Array | null;
}

/** A user without a row has a password, and an address that was never proved. */
interface SignInMeansTable {
  user_id: UserId;
  /** The user has no password while `users` has this hash. */
  unknown_hash: PasswordHash | null;
  email_proved_at: NullableTimestamp;
  break_glass_at: NullableTimestamp;
  password_open_until: NullableTimestamp;
}

/** The hash of the code that only a message has. The link is a mailed one while its code has this hash. */
type MailedCode = Uint8Array | null;

/** When the user enrolled a second factor. New users have none. */
type Enrolment = ColumnType<Instant | null, string | undefined, string | null>;

/** From whom the account demands a second factor; null for no user. */
type Demand = ColumnType<'admins' | null, undefined, 'admins' | null>;

interface SecondFactorTable extends Stored<SecondFactor> {
  last_step: number;
  wrong: ColumnType<readonly Instant[], string | undefined, string>;
}

interface InvitationTable
  extends Stored<Omit<Invitation, 'invitedBy' | 'isMailed'> & { invitedBy: UserId | null }> {
  email_key: EmailKey;
  code_hash: Uint8Array;
  mailed_code_hash: MailedCode;
}

interface ServiceUserTable {
  user_id: UserId;
  account_id: AccountId;
  description: string | null;
  responsible_id: UserId;
  created_by: UserId | null;
  created_by_name: string;
  created_by_email: Email | null;
}

interface ResetLinkTable extends Stored<Omit<ResetLink, 'isMailed' | 'isRequested'>> {
  code_hash: Uint8Array;
  mailed_code_hash: MailedCode;
  is_requested: Generated<boolean>;
}

/**
 * An address from which a token was used or refused, with the number of times. `first` and `last` are in milliseconds
 * since 1970.
 */
export interface StoredAddress {
  readonly address: string;
  readonly first: Instant;
  readonly last: Instant;
  readonly times: number;
}

export interface StoredRefusalAddress extends StoredAddress {
  readonly reason: UsageRefusal;
}

/** The addresses of one token. Each list begins with the newest address. */
interface TokenAddressTable {
  token_id: TokenId;
  used: Json<readonly StoredAddress[]>;
  refused: Json<readonly StoredRefusalAddress[]>;
}

/** The addresses of uses from outside of a token's networks, the newest first. */
interface TokenOutsideAddressTable {
  token_id: TokenId;
  seen: Json<readonly StoredAddress[]>;
}

interface ServiceTable extends Stored<Pick<Service, 'name' | 'description' | 'createdAt' | 'deletedAt'>> {
  open_to_all: boolean;
}

interface ServiceScopeTable extends Stored<ServiceScope> {
  service: ServiceName;
  /** The place of the scope among the scopes of its service, from 0. */
  position: number;
}

interface ServiceCredentialTable extends Stored<Omit<ServiceCredential, 'hash'>> {
  service: ServiceName;
  secret_hash: Uint8Array;
}

interface TokenServiceUseTable {
  token_id: TokenId;
  service: ServiceName;
  first_used_at: Timestamp | null;
  last_used_at: Timestamp;
  last_used_from: string | null;
  is_reported: boolean;
}

export interface AuditEventTable {
  id: GeneratedAlways<number>;
  at: Timestamp;
  actor: Json<Actor>;
  origin: string;
  action: AuditAction;
  subject_type: string;
  subject_id: string;
  account_id: AccountId | null;
  details: Json<AuditEvent['details']>;
}

interface AuditSealTable extends Stored<Omit<AuditSeal, 'first' | 'last' | 'ids' | 'pruned'>> {
  first_position: number;
  last_position: number;
  /** The text of an int8multirange, such as `{[1,4)}`. */
  ids: string;
  pruned_at: NullableTimestamp;
  pruned_mac: string | null;
}

interface ReactionTable {
  name: ReactionName;
  position: AuditPosition | 0;
  holder: string | null;
  held_until: NullableTimestamp;
}

interface ReactionDeliveryTable {
  id: GeneratedAlways<DeliveryId>;
  reaction: ReactionName;
  lane: Lane;
  position: AuditPosition;
  event: Json<AuditEvent>;
  tries: Generated<number>;
  problem: string | null;
  parked_at: NullableTimestamp;
}

/** The tables for which kysely builds statements. Other tables occur only in plain SQL. */
export interface Schema {
  accounts: Numbered<Account> & { second_factor: Demand };
  users: Numbered<Omit<User, 'kind'> & { emailKey: EmailKey; passwordHash: PasswordHash | null }> & {
    kind: Generated<UserKind>;
    second_factor_at: Enrolment;
  };
  /** The facts of service accounts that `users` does not have. */
  service_users: ServiceUserTable;
  /**
   * Hashes that were made from the normal form of a password (`normalPassword`). A row counts only while `users` has
   * the same hash.
   */
  normal_passwords: Stored<{ userId: UserId; passwordHash: PasswordHash }>;
  organizations: Numbered<Organization>;
  memberships: Stored<{
    organizationId: OrganizationId;
    userId: UserId;
    accountId: AccountId;
    createdAt: Instant;
  }>;
  signing_keys: SigningKeyTable;
  tokens: TokenTable;
  /** The purposes of API tokens. A token without a description has no row. */
  token_descriptions: { token_id: TokenId; description: string };
  /** The rules of accounts. A trigger of `accounts` inserts a row for each kind of holder. */
  token_policies: Stored<{ accountId: AccountId; holder: TokenHolder } & TokenRules>;
  /** The limits for all accounts: one row for each kind of holder. */
  token_floors: Stored<{ holder: TokenHolder } & TokenLimits>;
  token_usage: TokenUsageTable;
  sessions: SessionTable;
  identities: IdentityTable;
  sign_in_attempts: SignInAttemptTable;
  sign_in_means: SignInMeansTable;
  /** The points on which a provider and Gatehouse disagree. */
  provider_conflicts: {
    user_id: UserId;
    other_identity_at: NullableTimestamp;
    demotion_at: NullableTimestamp;
  };
  /** When an admin of an account first signed in with a provider. */
  provider_admins: { account_id: AccountId; since: Timestamp };
  second_factors: SecondFactorTable;
  recovery_codes: { user_id: UserId; code_hash: Uint8Array };
  second_factor_resets: { user_id: UserId; at: Timestamp; reason: string };
  pending_sign_ins: Stored<Omit<PendingSignIn, 'secretHash'>> & { secret_hash: Uint8Array };
  invitations: InvitationTable;
  reset_links: ResetLinkTable;
  notice_preferences: NoticePreferences & { user_id: UserId };
  /** The users who are or ever were admins. A trigger of `users` adds them. */
  once_admins: Stored<{ userId: UserId }>;
  password_resets: Stored<{ userId: UserId; madeBy: PasswordReset['madeBy'] }> & { at: Timestamp };
  token_addresses: TokenAddressTable;
  token_outside_addresses: TokenOutsideAddressTable;
  services: ServiceTable;
  service_scopes: ServiceScopeTable;
  /** The accounts to which a service is open, unless it is open to all. */
  service_accounts: Stored<{ service: ServiceName; accountId: AccountId }>;
  service_credentials: ServiceCredentialTable;
  service_credential_usage: Stored<{ credentialId: CredentialId; lastUsedAt: Instant }>;
  token_service_uses: TokenServiceUseTable;
  change_handles: Stored<{ isOnly: true; secret: HandleSecret }>;
  webhooks: WebhookTable;
  webhook_attempts: WebhookAttemptTable;
  audit_events: AuditEventTable;
  audit_seals: AuditSealTable;
  audit_seal_keys: Stored<SealKey>;
  reactions: ReactionTable;
  /** The lanes in which events wait, with the time of the next try. */
  reaction_lanes: { reaction: ReactionName; lane: Lane; next_at: Timestamp };
  reaction_deliveries: ReactionDeliveryTable;
}

/** Builds and runs statements on these tables, on a connection of the pool or in a transaction. */
export type Queries = Kysely<Schema>;
