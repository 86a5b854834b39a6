import type { AccountId } from '@gatehouse/domain/accounts';
import { formatInstant, type Instant } from '@gatehouse/domain/time';
import type { TokenSection, TokenState } from '@gatehouse/domain/tokens';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { EXPIRY } from '../live-tokens.ts';

type Condition = RawBuilder<SqlBool>;

/** The states of ended tokens. */
export type EndedState = Exclude<TokenState, 'active' | 'being_replaced'>;

export function isOfEnded(state: TokenState | undefined): state is EndedState {
  return state !== undefined && state !== 'active' && state !== 'being_replaced';
}

interface Of {
  readonly accountId: AccountId;
  readonly now: Instant;
}

const and = (...conditions: readonly Condition[]) => sql<SqlBool>`${sql.join(conditions, sql` and `)}`;

const NOT_REVOKED = sql<SqlBool>`tokens.revoked_at is null`;
// Keys are few. As an array they are a condition of tokens_open.
const USABLE_KEY = sql<SqlBool>`tokens.key_id = any(array(select id from signing_keys where state <> 'retired'))`;
const RETIRED_KEY = sql<SqlBool>`tokens.key_id = any(array(select id from signing_keys where state = 'retired'))`;

const isApiTokenOf = (accountId: AccountId) =>
  sql<SqlBool>`tokens.account_id = ${accountId} and tokens.kind = 'api'`;
const isUnexpired = (now: Instant) => sql<SqlBool>`${EXPIRY} > ${formatInstant(now)}::timestamptz`;
const isExpired = (now: Instant) => sql<SqlBool>`${EXPIRY} <= ${formatInstant(now)}::timestamptz`;

/** The ids of the account's disabled users; an account has no tokens of another's users. users_disabled_of_account */
export const disabledUsers = (accountId: AccountId) =>
  sql`select id from users where account_id = ${accountId} and disabled_at is not null`;
export const isSuspended = (accountId: AccountId) =>
  // A scalar, which PostgreSQL evaluates once, before it reads any token.
  sql<SqlBool>`(select suspended_at is not null from accounts where id = ${accountId})`;

/** The account's API tokens that are neither revoked nor expired nor signed by a retired key. tokens_open */
const isOpen = ({ accountId, now }: Of): Condition =>
  and(isApiTokenOf(accountId), NOT_REVOKED, USABLE_KEY, isUnexpired(now));

/** The account's API tokens that are not revoked or expired, but whose creator is disabled. tokens_live_of_user */
export const isOfDisabledUser = ({ accountId, now }: Of): Condition =>
  and(
    isApiTokenOf(accountId),
    NOT_REVOKED,
    isUnexpired(now),
    sql`tokens.user_id = any(array(${disabledUsers(accountId)}))`,
  );

/** The account's API tokens that are accepted. */
export const isAccepted = (of: Of): Condition =>
  and(
    isOpen(of),
    sql`tokens.user_id not in (${disabledUsers(of.accountId)})`,
    sql`not ${isSuspended(of.accountId)}`,
  );

/** The conditions of a section's disjoint parts. */
export function partsOf(section: TokenSection, of: Of): readonly Condition[] {
  return section === 'active' ? [isAccepted(of)] : Object.values(endedParts(of));
}

/** The conditions of the disjoint parts of the ended tokens with a state, which no part needs another condition for. */
export function partsOfState(state: EndedState, of: Of): readonly Condition[] {
  const { revoked, expired, retired, ofDisabled, ofSuspended } = endedParts(of);
  const usable = (condition: Condition) => and(condition, sql`not ${RETIRED_KEY}`);
  switch (state) {
    case 'revoked':
      return [usable(revoked)];
    case 'expired':
      return [usable(expired)];
    case 'key_retired':
      return [and(revoked, RETIRED_KEY), and(expired, RETIRED_KEY), retired];
    case 'user_disabled':
      return [ofDisabled];
    case 'account_suspended':
      return [ofSuspended];
  }
}

function endedParts(of: Of) {
  const { accountId, now } = of;
  return {
    revoked: and(isApiTokenOf(accountId), sql`tokens.revoked_at is not null`),
    expired: and(isApiTokenOf(accountId), NOT_REVOKED, isExpired(now)),
    retired: and(isApiTokenOf(accountId), NOT_REVOKED, RETIRED_KEY, isUnexpired(now)),
    ofDisabled: and(isOfDisabledUser(of), USABLE_KEY),
    ofSuspended: and(
      isOpen(of),
      isSuspended(accountId),
      sql`tokens.user_id not in (${disabledUsers(accountId)})`,
    ),
  };
}

/**
 * Selects up to `limit` tokens of each part of a section, by indexes that have no others: the planner cannot know how
 * many of an account's tokens have ended, and so each part has the order of the index that it is to take.
 */
export function rowsOf(section: TokenSection, of: Of, columns: RawBuilder<unknown>, limit: number) {
  const { accountId, now } = of;
  const unexpiredWithKeys = (states: RawBuilder<unknown>, ...conditions: readonly Condition[]) =>
    // tokens_open_of_keys. All conditions stand before the limit: what they reject must not use it up.
    sql`(
      select ${columns} from (select id as usable from signing_keys where state ${states}) as keys cross join lateral (
        select * from tokens
        where ${and(isApiTokenOf(accountId), NOT_REVOKED, sql`key_id = usable`, isUnexpired(now), ...conditions)}
        order by ${EXPIRY}, tokens.id limit ${limit}) as tokens)`;
  const usable = sql`<> 'retired'`;
  const notDisabled = sql<SqlBool>`tokens.user_id not in (${disabledUsers(accountId)})`;
  if (section === 'active') {
    return [unexpiredWithKeys(usable, notDisabled, sql`not ${isSuspended(accountId)}`)];
  }
  const { revoked, expired, ofDisabled } = endedParts(of);
  const part = (condition: Condition, order: RawBuilder<unknown>) =>
    sql`(select ${columns} from tokens where ${condition} order by ${order} limit ${limit})`;
  return [
    // tokens_revoked_by_id
    part(revoked, sql`tokens.id`),
    // tokens_open_by_expiry
    part(expired, EXPIRY),
    unexpiredWithKeys(sql`= 'retired'`),
    // tokens_live_of_user
    part(ofDisabled, sql`tokens.id`),
    unexpiredWithKeys(usable, isSuspended(accountId), notDisabled),
  ];
}
