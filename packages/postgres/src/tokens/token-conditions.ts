import type { Instant } from '@gatehouse/domain/time';
import {
  isAcceptedIn,
  RECORD_REFUSALS,
  type RecordRefusal,
  type TokenFilter,
  type TokenState,
} from '@gatehouse/domain/tokens';
import { type RawBuilder, sql } from 'kysely';
import { type Condition, type Moment, moment, not, or } from '../database/statements/conditions.ts';
import { isOverPolicy } from '../token-policy/over-policy.ts';
import { isLiveRow, passes, refuses, tableOf } from './refusal-conditions.ts';

/** The columns of a token that refer to rows of other tables, by table. */
const REFERENCES = {
  signing_keys: 'tokens.key_id',
  users: 'tokens.user_id',
  accounts: 'tokens.account_id',
} as const;

/**
 * Selects the ids of the keys, users or accounts whose tokens are refused for this reason. Uses the indexes
 * users_disabled and accounts_suspended.
 */
const refusing = (reason: RecordRefusal, now: Moment) =>
  sql`select id from ${sql.raw(tableOf(reason))} where ${refuses(reason, now)}`;

function isRefused(reason: RecordRefusal, now: Moment): Condition {
  const table = tableOf(reason);
  if (table === 'tokens') return refuses(reason, now);
  return sql`${sql.raw(REFERENCES[table])} in (${refusing(reason, now)})`;
}

const isNotRefused = (reason: RecordRefusal, now: Moment): Condition =>
  tableOf(reason) === 'tokens' ? passes(reason, now) : not(isRefused(reason, now));

/**
 * The condition that a column has a value of a short list. Unlike with `in`, PostgreSQL reads the list before the
 * tokens, and finds the tokens by the indexes tokens_user_id, tokens_account_id or tokens_pkey, instead of checking
 * every token.
 */
const among = (column: `tokens.${string}`, list: RawBuilder<unknown>): Condition =>
  sql`${sql.raw(column)} = any(array(${list}))`;

/**
 * The condition that a token is refused for the reason; other reasons may apply, too. A key may have signed most
 * tokens, so no list is used for keys.
 */
function findRefused(reason: RecordRefusal, now: Moment): Condition {
  const table = tableOf(reason);
  return table === 'users' || table === 'accounts'
    ? among(REFERENCES[table], refusing(reason, now))
    : isRefused(reason, now);
}

const accepted = (now: Moment) => RECORD_REFUSALS.map((reason) => isNotRefused(reason, now));

// Uses the indexes tokens_successor and tokens_replaced.
const REPLACED = sql`
  select replaces from tokens where replaces is not null and revoked_at is null
  union all select id from tokens where replaced_at is not null`;

/** The domain's `tokenState` as conditions: the reason applies, and no earlier reason applies. */
function stateConditions(state: TokenState, now: Moment): readonly Condition[] {
  if (state === 'active') return [...accepted(now), sql`not tokens.id in (${REPLACED})`];
  if (isAcceptedIn(state)) return [...accepted(now), among('tokens.id', REPLACED)];
  const earlier = RECORD_REFUSALS.slice(0, RECORD_REFUSALS.indexOf(state));
  return [...earlier.map((reason) => isNotRefused(reason, now)), findRefused(state, now)];
}

/** Returns the conditions of the filter on a row of `tokens`. `unusedTokens` adds the conditions on the last use. */
export function tokenConditions(filter: TokenFilter & { readonly now: Instant }): readonly Condition[] {
  const { accountId, userId, creatorInactive, kind, state, live, name, scope, keyId } = filter;
  const { unusedSince, refusedSinceUse, neverExpiring, overPolicy, expiringBefore } = filter;
  const now = moment(filter.now);
  const all: Condition[] = [];
  // Uses the index tokens_account_id.
  if (accountId !== undefined) all.push(sql`tokens.account_id = ${accountId}`);
  // Uses the index tokens_user_id.
  if (userId !== undefined) all.push(sql`tokens.user_id = ${userId}`);
  if (creatorInactive) all.push(or(isRefused('user_disabled', now), isRefused('account_suspended', now)));
  // A literal, because the index tokens_name has tokens of one kind only.
  if (kind !== undefined) all.push(sql`tokens.kind = ${sql.lit(kind)}`);
  // Uses the index tokens_name.
  if (name !== undefined) all.push(sql`tokens.name = ${name}`);
  if (scope !== undefined) all.push(sql`tokens.scopes @> array[${scope}]`);
  // Uses the index tokens_key_id.
  if (keyId !== undefined) all.push(sql`tokens.key_id = ${keyId}`);
  if (state !== undefined) all.push(...stateConditions(state, now));
  if (live !== undefined)
    all.push(live ? isLiveRow(now) : or(refuses('revoked', now), refuses('expired', now)));
  if (unusedSince !== undefined) all.push(...accepted(now), sql`tokens.created_at < ${moment(unusedSince)}`);
  if (refusedSinceUse) {
    // Uses the index token_usage_pkey.
    const refused: Condition = sql`exists (
      select from token_usage where token_id = tokens.id and refused_since_use)`;
    all.push(...accepted(now), refused);
  }
  if (neverExpiring) {
    // Uses the index tokens_never_expiring.
    all.push(...accepted(now), sql`tokens.expires_at is null`);
  }
  if (overPolicy) all.push(...accepted(now), isOverPolicy(now));
  if (expiringBefore !== undefined) {
    // Reads the index tokens_expires_at from the current time on.
    all.push(...accepted(now), sql`tokens.expires_at > ${now}`);
    all.push(sql`tokens.expires_at < ${moment(expiringBefore)}`);
  }
  return all;
}
