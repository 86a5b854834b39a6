import type { AccountId } from '@gatehouse/domain/accounts';
import type { Instant } from '@gatehouse/domain/time';
import { RECORD_REFUSALS, type RecordRefusal, type TokenSection } from '@gatehouse/domain/tokens';
import { type RawBuilder, sql } from 'kysely';
import { and, type Condition, moment, not, or } from '../../database/statements/conditions.ts';
import { EXPIRY, passes, refuses, tableOf } from '../refusal-conditions.ts';

/** The account whose tokens are listed, and the time at which the states of the tokens are determined. */
interface AccountAt {
  readonly accountId: AccountId;
  readonly now: Instant;
}

/**
 * Returns the condition that a reason applies to a token of the account, or does not apply, in the form that the
 * indexes of the lists need.
 */
function appliesTo(reason: RecordRefusal, applies: boolean, { accountId, now }: AccountAt): Condition {
  const at = moment(now);
  const holds = (applies ? refuses : passes)(reason, at);
  switch (tableOf(reason)) {
    case 'tokens':
      return reason === 'expired' ? sql`${EXPIRY} ${applies ? sql`<=` : sql`>`} ${at}` : holds;
    case 'signing_keys':
      // There are few keys. As an array, their ids are a condition that the index tokens_open can check.
      return sql`tokens.key_id = any(array(select id from signing_keys where ${holds}))`;
    case 'users': {
      // Uses the index users_disabled_of_account or users_confirmed_of_account. The user of a token belongs to the
      // account of the token, so other accounts need not be searched.
      const users = sql`select id from users where account_id = ${accountId} and ${refuses(reason, at)}`;
      if (!applies) return sql`tokens.user_id not in (${users})`;
      // Without such users, which PostgreSQL finds out first, no token is read: it would read all in the order by id.
      return sql`((select exists (${users})) and tokens.user_id = any(array(${users})))`;
    }
    case 'accounts': {
      // A subquery with one value, which PostgreSQL evaluates once, before it reads any token.
      const refused: Condition = sql`(select ${refuses(reason, at)} from accounts where id = ${accountId})`;
      return applies ? refused : not(refused);
    }
  }
}

/**
 * Returns the condition that the creator of a token is disabled or that the account is suspended. With `not in`,
 * PostgreSQL puts the disabled users into a hash table and looks up each token's user there.
 */
export const isCreatorInactive = (of: AccountAt): Condition =>
  or(not(appliesTo('user_disabled', false, of)), appliesTo('account_suspended', true, of));

/**
 * A set of tokens, defined by reasons for refusing a token. The value is true if the reason applies to each of the
 * tokens, and false if it applies to none.
 */
type Part = Readonly<Partial<Record<RecordRefusal, boolean>>>;

/**
 * Divides ended tokens into disjoint parts, one for each reason. A part has the tokens to which the reason applies and
 * no reason before it in this list applies. The list has the order of the indexes, not the order of the domain. The
 * value says how the part is read: in the order of an index that has no tokens outside the part, or for each key
 * separately.
 */
const READ_BY: Readonly<Record<RecordRefusal, RawBuilder<unknown> | 'keys'>> = {
  // Uses the index tokens_revoked_by_id.
  revoked: sql`tokens.id`,
  // Uses the index tokens_open_by_expiry.
  expired: EXPIRY,
  // Uses the index tokens_open_of_keys.
  key_retired: 'keys',
  // Uses the index tokens_live_of_user.
  user_disabled: sql`tokens.id`,
  // Uses the index tokens_live_of_user.
  not_confirmed: sql`tokens.id`,
  // Uses the index tokens_open_of_keys.
  account_suspended: 'keys',
};

const ENDED = Object.keys(READ_BY) as readonly RecordRefusal[];

const noneOf = (reasons: readonly RecordRefusal[]): Part =>
  Object.fromEntries(reasons.map((reason) => [reason, false]));

const ACCEPTED = noneOf(ENDED);

const partOf = (reason: RecordRefusal): Part => ({
  ...noneOf(ENDED.slice(0, ENDED.indexOf(reason))),
  [reason]: true,
});

const demandsOf = (part: Part) => Object.entries(part) as readonly [RecordRefusal, boolean][];

function isInPart(part: Part, of: AccountAt): Condition {
  const demands = demandsOf(part).map(([reason, applies]) => appliesTo(reason, applies, of));
  const { accountId } = of;
  return and(sql`tokens.account_id = ${accountId} and tokens.kind = 'api'`, ...demands);
}

/** Returns the condition that a token is an accepted API token of the account. Uses the index tokens_open. */
export const isAccepted = (of: AccountAt): Condition => isInPart(ACCEPTED, of);

/**
 * Returns the condition that a token is an API token of the account that is not revoked and has not expired, and that
 * its creator is disabled. Uses the index tokens_live_of_user.
 */
export const isOfDisabledUser = (of: AccountAt): Condition =>
  isInPart({ revoked: false, expired: false, user_disabled: true }, of);

/** Returns one condition for each part of a section. No token is in two parts. */
export function partsOf(section: TokenSection, of: AccountAt): readonly Condition[] {
  const parts = section === 'active' ? [ACCEPTED] : ENDED.map(partOf);
  return parts.map((part) => isInPart(part, of));
}

/**
 * Returns one condition for each part of the ended tokens with a state. A token's state is the first reason that
 * applies, in the order of the domain. Therefore the tokens with a state are in the part of that reason, and in parts
 * before it whose reasons come later in the order of the domain.
 */
export function partsOfState(state: RecordRefusal, of: AccountAt): readonly Condition[] {
  const earlier = RECORD_REFUSALS.slice(0, RECORD_REFUSALS.indexOf(state));
  return ENDED.slice(0, ENDED.indexOf(state) + 1)
    .filter((reason) => !earlier.includes(reason))
    .map((reason) => isInPart({ ...noneOf(earlier), [state]: true, ...partOf(reason) }, of));
}

/**
 * Selects up to `limit` tokens of each part of a section. The planner of PostgreSQL cannot know how many tokens of an
 * account have ended. Each part is read in the order of the index that PostgreSQL should use.
 */
export function rowsOf(section: TokenSection, of: AccountAt, columns: RawBuilder<unknown>, limit: number) {
  if (section === 'active') return [rowsByKey(ACCEPTED, of, columns, limit)];
  return ENDED.map((reason) => {
    const order = READ_BY[reason];
    return order === 'keys'
      ? rowsByKey(partOf(reason), of, columns, limit)
      : sql`(select ${columns} from tokens where ${isInPart(partOf(reason), of)} order by ${order} limit ${limit})`;
  });
}

/**
 * Selects up to `limit` tokens for each key, by the index tokens_open_of_keys. All conditions are checked before the
 * limit, so the limit counts only tokens of the part.
 */
function rowsByKey(part: Part, of: AccountAt, columns: RawBuilder<unknown>, limit: number) {
  const isOfKey = ([reason]: readonly [RecordRefusal, boolean]) => tableOf(reason) === 'signing_keys';
  const demands = demandsOf(part);
  const keys = demands
    .filter(isOfKey)
    .map(([reason, applies]) => (applies ? refuses : passes)(reason, moment(of.now)));
  const tokens = isInPart(Object.fromEntries(demands.filter((demand) => !isOfKey(demand))), of);
  return sql`(
    select ${columns} from (select id as usable from signing_keys where ${and(...keys)}) as keys cross join lateral (
      select * from tokens where key_id = usable and ${tokens} order by ${EXPIRY}, tokens.id limit ${limit}) as tokens)`;
}
