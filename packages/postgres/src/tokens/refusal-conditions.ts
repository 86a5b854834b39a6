import type { Instant } from '@gatehouse/domain/time';
import { RECORD_REFUSALS, type RecordRefusal } from '@gatehouse/domain/tokens';
import { type RawBuilder, sql } from 'kysely';
import { and, type Condition, type Moment, moment, not } from '../database/statements/conditions.ts';

/** The tables whose rows decide whether a token is accepted: its own row, and the three that it refers to. */
export type DecidingTable = 'tokens' | 'signing_keys' | 'users' | 'accounts';

/** The names that statements give to these rows. */
export type RowName = DecidingTable | 'key' | 'owner' | 'account' | 'predecessor' | 'successor';

interface SqlRefusal {
  readonly of: DecidingTable;
  readonly refuses: (row: RowName, now: Moment) => Condition;
  /** The opposite of `refuses`. Default: its negation, which is wrong only for conditions that compare nulls. */
  readonly passes?: (row: RowName, now: Moment) => Condition;
}

/**
 * The domain's `REFUSALS` in SQL. Every statement that selects or inserts accepted tokens takes its conditions from here.
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
  account_suspended: { of: 'accounts', refuses: (account) => sql.raw(`${account}.suspended_at is not null`) },
};

/** The table whose row gives the reason. */
export const tableOf = (reason: RecordRefusal): DecidingTable => SQL_REFUSALS[reason].of;

/** The reasons that rows of a table give, in the domain's order. */
export const reasonsOf = (table: DecidingTable): readonly RecordRefusal[] =>
  RECORD_REFUSALS.filter((reason) => tableOf(reason) === table);

/** Whether the row refuses the token for this reason. */
export const refuses = (reason: RecordRefusal, now: Moment, row: RowName = tableOf(reason)): Condition =>
  SQL_REFUSALS[reason].refuses(row, now);

/** Whether the row does not refuse it for this reason. */
export function passes(reason: RecordRefusal, now: Moment, row: RowName = tableOf(reason)): Condition {
  const rule = SQL_REFUSALS[reason];
  return rule.passes?.(row, now) ?? not(rule.refuses(row, now));
}

/** The domain's `isLive` of a row. */
export const isLiveRow = (at: Moment, row: RowName = 'tokens'): Condition =>
  and(passes('revoked', at, row), passes('expired', at, row));

/** Whether a token occupies its name, by the index tokens_api_name. A replaced token does not. */
export const holdsName = (at: Instant): Condition =>
  sql`tokens.kind = 'api' and tokens.replaced_at is null and ${isLiveRow(moment(at))}`;

/** The expiry of `tokens` in the form of the indexes tokens_live, tokens_live_of_user and the indexes of lists. */
export const EXPIRY: RawBuilder<Instant> = sql`coalesce(tokens.expires_at, 'infinity')`;

/** The domain's `isLive` for the table `tokens`, in the form that these indexes need. */
export const isLiveAt = (at: Instant | string): Condition =>
  sql`(${passes('revoked', moment(at))} and ${EXPIRY} > ${moment(at)})`;

/** The domain's `endOf` of `tokens`, in the form of the index tokens_sign_in_end; least() ignores nulls. */
export const END: RawBuilder<Instant | null> = sql`least(tokens.expires_at, tokens.revoked_at)`;
