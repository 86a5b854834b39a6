import { formatInstant, LAST_INSTANT } from '@gatehouse/domain/time';
import type { AccountTokenQuery } from '@gatehouse/domain/tokens';
import { type RawBuilder, sql } from 'kysely';
import { and, type Condition, type Moment, moment, not, or } from '../database/statements/conditions.ts';
import { EXPIRY } from '../tokens/refusal-conditions.ts';
import { HOLDER, isOfServiceAccount } from './held-by.ts';

/** The rows of an account and of the floor for one kind of holder, in a FROM list. */
export const RULES = sql`token_policies as policy join token_floors as floor on floor.holder = policy.holder`;

/** Whether a row of `RULES` has a limit. */
export const HAS_LIMIT = or(
  sql`policy.must_expire`,
  sql`floor.must_expire`,
  sql`policy.scopes is not null`,
  sql`floor.scopes is not null`,
  sql`policy.must_have_networks`,
  sql`floor.must_have_networks`,
);

/** The domain's `latestExpiry` for a row of `RULES`. */
const latestExpiry = (at: Moment) => sql`
  coalesce(${at} + least(policy.max_lifetime_ms, floor.max_lifetime_ms) * interval '1 millisecond',
    case when policy.must_expire or floor.must_expire then ${moment(formatInstant(LAST_INSTANT))} end)`;

/**
 * Whether a list of scopes, which is null if all are allowed, has all scopes of the token (the domain's `isListed`).
 * Most tokens have only listed scopes, which one operator finds.
 */
const allowsScopes = (
  list: RawBuilder<unknown>,
): Condition => sql`(${list} is null or tokens.scopes <@ ${list} or not exists (
  select from unnest(tokens.scopes) as given (scope)
  where given.scope <> all(${list}) and (given.scope = '*' or split_part(given.scope, ':', 1) || ':*' <> all(${list}))))`;

/** Whether the row of `tokens` breaks the rules of its account. Reads the owner again for each row. */
export const breaksRules = (at: Moment): Condition =>
  breaks(sql`policy.account_id = tokens.account_id and policy.holder = ${HOLDER}`, at);

/** Whether the row of `tokens` breaks the rules `of` its owner: `limitProblem`, or for a sign-in `lifetimeProblem`. */
function breaks(of: Condition, at: Moment): Condition {
  const allowed = and(
    allowsScopes(sql`policy.scopes`),
    allowsScopes(sql`floor.scopes`),
    or(
      sql`not (policy.must_have_networks or floor.must_have_networks)`,
      sql`tokens.networks_mode is not distinct from 'enforced'`,
    ),
  );
  return sql`exists (
    select from ${RULES} where ${of}
      and (${EXPIRY} > ${latestExpiry(at)} or (tokens.kind = 'api' and ${not(allowed)})))`;
}

/** Whether the row of `tokens` breaks the rules at this time. Tokens of accounts without limits are not read. */
export const isOverPolicy = (at: Moment): Condition =>
  and(
    sql`tokens.account_id = any(array(select policy.account_id from ${RULES} where ${HAS_LIMIT}))`,
    breaksRules(at),
  );

/**
 * The same for tokens of one account. PostgreSQL finds first whether the account has limits, and else reads no token. It
 * reads the rules and the service accounts once, and not by an index for each token.
 */
export const isOverPolicyOf = ({ accountId, now }: Pick<AccountTokenQuery, 'accountId' | 'now'>): Condition =>
  and(
    sql`(select exists (select from ${RULES} where policy.account_id = ${accountId} and ${HAS_LIMIT}))`,
    breaks(
      sql`policy.account_id = ${accountId} and (policy.holder = 'service') = ${isOfServiceAccount(accountId)}`,
      moment(now),
    ),
  );
