import { formatInstant, type Instant } from '@gatehouse/domain/time';
import type { TokenFilter, TokenState } from '@gatehouse/domain/tokens';
import { type RawBuilder, type SqlBool, sql } from 'kysely';

export type Condition = RawBuilder<SqlBool>;

const RETIRED = sql<SqlBool>`tokens.key_id in (select id from signing_keys where state = 'retired')`;
const REVOKED = sql<SqlBool>`tokens.revoked_at is not null`;
// users_disabled, accounts_suspended; tokens_successor, tokens_replaced
const DISABLED = sql`select id from users where disabled_at is not null`;
const SUSPENDED = sql`select id from accounts where suspended_at is not null`;
const REPLACED = sql`
  select replaces from tokens where replaces is not null and revoked_at is null
  union all select id from tokens where replaced_at is not null`;

const OF_DISABLED = sql<SqlBool>`tokens.user_id in (${DISABLED})`;
const OF_SUSPENDED = sql<SqlBool>`tokens.account_id in (${SUSPENDED})`;
const BEING_REPLACED = sql<SqlBool>`tokens.id in (${REPLACED})`;

const not = (condition: Condition) => sql<SqlBool>`not ${condition}`;
const expired = (now: string) => sql<SqlBool>`tokens.expires_at <= ${now}::timestamptz`;

/** The conditions that are checked before user and account. */
const recordHolds = (now: string): readonly Condition[] => [
  not(RETIRED),
  not(REVOKED),
  sql`(tokens.expires_at is null or tokens.expires_at > ${now}::timestamptz)`,
];

/**
 * The same as `in`, for a list that is expected to be short: the list is read first, and tokens are found by it,
 * instead of checking every token. tokens_user_id, tokens_account_id, tokens_pkey
 */
const among = (column: string, list: RawBuilder<unknown>): Condition =>
  sql`${sql.ref(column)} = any(array(${list}))`;

const accepted = (now: string) => [...recordHolds(now), not(OF_DISABLED), not(OF_SUSPENDED)];

/** The domain's `tokenState` as conditions: what makes the state, and that no earlier reason applies. */
const STATES: Readonly<Record<TokenState, (now: string) => readonly Condition[]>> = {
  key_retired: () => [RETIRED],
  revoked: () => [not(RETIRED), REVOKED],
  expired: (now) => [not(RETIRED), not(REVOKED), expired(now)],
  user_disabled: (now) => [...recordHolds(now), among('tokens.user_id', DISABLED)],
  account_suspended: (now) => [...recordHolds(now), not(OF_DISABLED), among('tokens.account_id', SUSPENDED)],
  being_replaced: (now) => [...accepted(now), among('tokens.id', REPLACED)],
  active: (now) => [...accepted(now), not(BEING_REPLACED)],
};

export const moment = (instant: Instant) => sql`${formatInstant(instant)}::timestamptz`;

/** Returns the conditions of the filter on a row of `tokens`; what it says of last uses, `unusedTokens` adds. */
export function tokenConditions(filter: TokenFilter & { readonly now: Instant }): readonly Condition[] {
  const { accountId, userId, creatorInactive, kind, state, name, scope, keyId } = filter;
  const { unusedSince, refusedSinceUse, neverExpiring, expiringBefore } = filter;
  const now = formatInstant(filter.now);
  const all: Condition[] = [];
  // tokens_account_id
  if (accountId !== undefined) all.push(sql`tokens.account_id = ${accountId}`);
  // tokens_user_id
  if (userId !== undefined) all.push(sql`tokens.user_id = ${userId}`);
  if (creatorInactive) all.push(sql`(${OF_DISABLED} or ${OF_SUSPENDED})`);
  // A literal, because tokens_name covers one kind only.
  if (kind !== undefined) all.push(sql`tokens.kind = ${sql.lit(kind)}`);
  // tokens_name
  if (name !== undefined) all.push(sql`tokens.name = ${name}`);
  if (scope !== undefined) all.push(sql`tokens.scopes @> array[${scope}]`);
  // tokens_key_id
  if (keyId !== undefined) all.push(sql`tokens.key_id = ${keyId}`);
  if (state !== undefined) all.push(...STATES[state](now));
  if (unusedSince !== undefined) all.push(...accepted(now), sql`tokens.created_at < ${moment(unusedSince)}`);
  if (refusedSinceUse) {
    // token_usage_pkey
    const refused = sql<SqlBool>`exists (
      select from token_usage where token_id = tokens.id and refused_since_use)`;
    all.push(...accepted(now), refused);
  }
  if (neverExpiring) {
    // tokens_never_expiring
    all.push(...accepted(now), sql`tokens.expires_at is null`);
  }
  if (expiringBefore !== undefined) {
    // tokens_expires_at, from now on
    all.push(...accepted(now), sql`tokens.expires_at > ${now}::timestamptz`);
    all.push(sql`tokens.expires_at < ${moment(expiringBefore)}`);
  }
  return all;
}
