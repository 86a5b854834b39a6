import type { AccountId } from '@gatehouse/domain/accounts';
import type { Actor, AuditAction, AuditEvent } from '@gatehouse/domain/audit';
import type { OrganizationId } from '@gatehouse/domain/organizations';
import type { SessionId } from '@gatehouse/domain/sessions';
import type { KeyId, KeyState, SealedSecret } from '@gatehouse/domain/signing-keys';
import type { Instant } from '@gatehouse/domain/time';
import type { TokenFormat, TokenId, UsageRefusal } from '@gatehouse/domain/tokens';
import type { Email, EmailKey, PasswordHash, Role, UserId } from '@gatehouse/domain/users';
import type { Json, NullableTimestamp, Timestamp } from '@gatehouse/extension-kit/postgres';
import type { Generated, GeneratedAlways, Kysely } from 'kysely';
import type { OrganizationTable } from '../organizations/organization-columns.ts';
import type { TokenTable } from '../tokens/token-columns.ts';

export interface AccountTable {
  id: GeneratedAlways<AccountId>;
  name: string;
  created_at: Timestamp;
  suspended_at: NullableTimestamp;
}

export interface UserTable {
  id: GeneratedAlways<UserId>;
  account_id: AccountId;
  email: Email;
  email_key: EmailKey;
  name: string;
  role: Role;
  password_hash: PasswordHash;
  created_at: Timestamp;
  disabled_at: NullableTimestamp;
}

/** Of hashes that are of the password's normal form, as long as they are the user's. */
export interface NormalPasswordTable {
  user_id: UserId;
  password_hash: PasswordHash;
}

interface MembershipTable {
  organization_id: OrganizationId;
  user_id: UserId;
  account_id: AccountId;
  created_at: Timestamp;
}

export interface SigningKeyTable {
  id: KeyId;
  format: TokenFormat;
  state: KeyState;
  public_key: Uint8Array;
  sealed_secret: SealedSecret;
  created_at: Timestamp;
  activated_at: NullableTimestamp;
  retired_at: NullableTimestamp;
}

interface TokenUsageTable {
  token_id: TokenId;
  last_used_at: NullableTimestamp;
  last_refused_at: NullableTimestamp;
  last_refused_reason: UsageRefusal | null;
}

interface SessionTable {
  id: SessionId;
  secret_hash: Uint8Array;
  user_id: UserId;
  created_at: Timestamp;
  last_seen_at: Timestamp;
  password_given_at: Timestamp;
  origin: string;
  user_agent: string | null;
  form_key: Uint8Array;
  replaced_hash: Uint8Array | null;
  replaced_at: NullableTimestamp;
  is_renewal_due: Generated<boolean>;
}

/** One of the addresses of a token's uses or refusals, as stored; moments in milliseconds since 1970. */
export interface StoredAddress {
  readonly address: string;
  readonly first: Instant;
  readonly last: Instant;
  readonly times: number;
}

export interface StoredRefusalAddress extends StoredAddress {
  readonly reason: UsageRefusal;
}

/** Addresses are sorted, newest first. */
interface TokenAddressTable {
  token_id: TokenId;
  used: Json<readonly StoredAddress[]>;
  refused: Json<readonly StoredRefusalAddress[]>;
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

interface AuditSealTable {
  last_position: number;
  first_position: number;
  ids: string;
  through_id: number;
  digest: string;
  line_hashes: string;
  sealed_at: Timestamp;
  previous: string;
  mac: string;
  pruned_at: NullableTimestamp;
  pruned_mac: string | null;
}

interface AuditGapTable {
  first_id: number;
  last_id: number;
  writers: readonly string[];
}

interface AuditSealKeyTable {
  id: KeyId;
  sealed_secret: SealedSecret;
}

/** The tables of the repositories, without those of the sign-in throttle. */
export interface Schema {
  accounts: AccountTable;
  users: UserTable;
  normal_passwords: NormalPasswordTable;
  organizations: OrganizationTable;
  memberships: MembershipTable;
  signing_keys: SigningKeyTable;
  tokens: TokenTable;
  token_usage: TokenUsageTable;
  sessions: SessionTable;
  token_addresses: TokenAddressTable;
  audit_events: AuditEventTable;
  audit_seals: AuditSealTable;
  audit_gaps: AuditGapTable;
  audit_seal_keys: AuditSealKeyTable;
}

/** Builds and runs statements on these tables, by the pool or in a transaction. */
export type Queries = Kysely<Schema>;
