import type { Instant } from '@gatehouse/domain/time';
import { RECORD_REFUSALS, type RecordRefusal } from '@gatehouse/domain/tokens';
import { type RawBuilder, sql } from 'kysely';
import { and, type Condition, type Moment, moment, not } from '../database/statements/conditions.ts';

/**
 * The tables whose rows decide whether a token is accepted: the row of the token, and the rows of its key, its user and
 * its account.
 */
export type DecidingTable = 'tokens' | 'signing_keys' | 'users' | 'accounts';

/** The names that statements give to rows of these tables. */
export type RowName = DecidingTable | 'key' | 'owner' | 'account' | 'predecessor' | 'successor';

interface SqlRefusal {
  readonly of: DecidingTable;
  readonly refuses: (row: RowName, now: Moment) => Condition;
  /**
   * The condition that the row does not refuse the token. Default: `not` around the condition of `refuses`, which is
   * wrong only if that condition compares nulls.
   */
  readonly passes?: (row: RowName, now: Moment) => Condition;
}

/**
 * The reasons for refusing a token (the domain's `REFUSALS`), as conditions in SQL. Every statement that selects or
 * inserts accepted tokens uses these conditions.
 */
const SQL_REFUSALS: Readonly<Record<RecordRefusal, SqlRefusal>> = {
  key_retired: { of: 'signing_keys', refuses: (key) => sql.raw(`${key}.state = 'retired'`) },
  revoked: { of: 'tokens', refuses: (token) => sql.raw(`${token}.revoked_at is not null`) },
  expired: {
    of: 'tokens',
    refuses: (token, now) => sql`${sql.raw(token)}.expires_at <= ${now}`,
    passes: (token, now) => sql`(${sql.raw(`${token}.expires_at is null or ${token}.expires_at`)} > ${now})`,
  },
  user_disabled: { of: 'users', refuses: (user) => sql.raw(`${user}.disabled_at is not null`) },
  not_confirmed: {
    of: 'users',
    refuses: (user, now) => sql`${sql.raw(user)}.confirmed_until <= ${now}`,
    passes: (user, now) =>
      sql`(${sql.raw(`${user}.confirmed_until is null or ${user}.confirmed_until`)} > ${now})`,
  },
  account_suspended: { of: 'accounts', refuses: (account) => sql.raw(`${account}.suspended_at is not null`) },
};

/** Returns the table whose row gives the reason. */
export const tableOf = (reason: RecordRefusal): DecidingTable => SQL_REFUSALS[reason].of;

/** Returns the reasons that rows of a table can give, in the order of the domain. */
export const reasonsOf = (table: DecidingTable): readonly RecordRefusal[] =>
  RECORD_REFUSALS.filter((reason) => tableOf(reason) === table);

/** Returns the condition that the row refuses the token for this reason. */
export const refuses = (reason: RecordRefusal, now: Moment, row: RowName = tableOf(reason)): Condition =>
  SQL_REFUSALS[reason].refuses(row, now);

/** Returns the condition that the row does not refuse the token for this reason. */
export function passes(reason: RecordRefusal, now: Moment, row: RowName = tableOf(reason)): Condition {
  const rule = SQL_REFUSALS[reason];
  return rule.passes?.(row, now) ?? not(rule.refuses(row, now));
}

/** The domain's `isLive` as a condition on a row: the token is neither revoked nor expired. */
export const isLiveRow = (at: Moment, row: RowName = 'tokens'): Condition =>
  and(passes('revoked', at, row), passes('expired', at, row));

/**
 * The condition that no other token of the user may have the name of this one. A replaced token does not keep its name.
 * Uses the index tokens_api_name.
 */
export const holdsName = (at: Instant): Condition =>
  sql`tokens.kind = 'api' and tokens.replaced_at is null and ${isLiveRow(moment(at))}`;

/**
 * The expiry of `tokens`, as the indexes tokens_live and tokens_live_of_user and the indexes of lists have it. A token
 * that never expires has infinity.
 */
export const EXPIRY: RawBuilder<Instant> = sql`coalesce(tokens.expires_at, 'infinity')`;

/**
 * The domain's `isLive` as a condition on the table `tokens`, in the form that the indexes on `EXPIRY` need: the token
 * is neither revoked nor expired.
 */
export const isLiveAt = (at: Instant | string): Condition =>
  sql`(${passes('revoked', moment(at))} and ${EXPIRY} > ${moment(at)})`;

/**
 * When a token of `tokens` ended or will end: when it expires or was revoked, whichever is earlier. This is the
 * expression of the index tokens_sign_in_end; least() ignores nulls.
 */
export const END: RawBuilder<Instant | null> = sql`least(tokens.expires_at, tokens.revoked_at)`;
