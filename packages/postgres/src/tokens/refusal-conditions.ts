import type { Instant } from '@gatehouse/domain/time';
import { RECORD_REFUSALS, type RecordRefusal } from '@gatehouse/domain/tokens';
import { type RawBuilder, sql } from 'kysely';
import { and, type Condition, type Moment, moment, not } from '../database/statements/conditions.ts';

/** The rows that decide whether a token is accepted: its own, and the three that it refers to. */
export type DecidingRow = 'token' | 'key' | 'user' | 'account';

/** The names that statements give to these rows. */
export type RowName =
  | 'tokens'
  | 'signing_keys'
  | 'users'
  | 'accounts'
  // of `foundations`
  | 'key'
  | 'owner'
  | 'account'
  // of a rotation
  | 'predecessor'
  | 'successor';

interface SqlRefusal {
  readonly of: DecidingRow;
  readonly refuses: (row: RowName, now: Moment) => Condition;
  /** The opposite. Default: the negation, which is right unless it compares nulls. */
  readonly passes?: (row: RowName, now: Moment) => Condition;
}

/** The domain's `REFUSALS` in SQL. Each statement that selects or inserts accepted tokens gets its conditions from here. */
const SQL_REFUSALS: Readonly<Record<RecordRefusal, SqlRefusal>> = {
  key_retired: { of: 'key', refuses: (key) => sql.raw(`${key}.state = 'retired'`) },
  revoked: { of: 'token', refuses: (token) => sql.raw(`${token}.revoked_at is not null`) },
  expired: {
    of: 'token',
    refuses: (token, now) => sql`${sql.raw(token)}.expires_at <= ${now}`,
    passes: (token, now) => sql`(${sql.raw(`${token}.expires_at is null or ${token}.expires_at`)} > ${now})`,
  },
  user_disabled: { of: 'user', refuses: (user) => sql.raw(`${user}.disabled_at is not null`) },
  account_suspended: { of: 'account', refuses: (account) => sql.raw(`${account}.suspended_at is not null`) },
};

/** The row that gives the reason. */
export const rowOf = (reason: RecordRefusal): DecidingRow => SQL_REFUSALS[reason].of;

/** The reasons that one of the rows gives, in the domain's order. */
export const reasonsOf = (row: DecidingRow): readonly RecordRefusal[] =>
  RECORD_REFUSALS.filter((reason) => rowOf(reason) === row);

/** Whether the row refuses the token for this reason. */
export const refuses = (reason: RecordRefusal, row: RowName, now: Moment): Condition =>
  SQL_REFUSALS[reason].refuses(row, now);

/** Whether the row does not. */
export function passes(reason: RecordRefusal, row: RowName, now: Moment): Condition {
  const rule = SQL_REFUSALS[reason];
  return rule.passes?.(row, now) ?? not(rule.refuses(row, now));
}

/** The domain's `isLive` of a row. */
export const isLiveRow = (row: RowName, at: Moment): Condition =>
  and(passes('revoked', row, at), passes('expired', row, at));

/** The expiry of `tokens` in the form of the indexes tokens_live, tokens_live_of_user and those of lists. */
export const EXPIRY: RawBuilder<Instant> = sql`coalesce(tokens.expires_at, 'infinity')`;

/** The domain's `isLive` of `tokens`, in the form of these indexes. */
export const isLiveAt = (at: Instant | string): Condition =>
  sql`(${passes('revoked', 'tokens', moment(at))} and ${EXPIRY} > ${moment(at)})`;

/** The domain's `endOf` of `tokens`, in the form of the index tokens_sign_in_end; least() ignores nulls. */
export const END: RawBuilder<Instant | null> = sql`least(tokens.expires_at, tokens.revoked_at)`;
