import { type AccountTokenQuery, isAcceptedIn, tokenSearch } from '@gatehouse/domain/tokens';
import { sql } from 'kysely';
import { type Condition, moment, or } from '../../database/statements/conditions.ts';
import { isOverPolicyOf } from '../../token-policy/over-policy.ts';
import { emailKeysOf, formerFirst, isStoredUnder } from '../../users/user-records.ts';
import { EXPIRY } from '../refusal-conditions.ts';
import { hasAddress } from './address-search.ts';
import { isCreatorInactive, partsOfState } from './sections.ts';
import { isNamed, usersFound } from './text-search.ts';
import { isUnusedSince } from './usage-of-base.ts';

const NOTHING: Condition = sql`false`;

/** Returns whether the filters need the table `token_usage`, joined as `usage`. */
export function isAboutUse({ unusedSince, refusedSinceUse }: AccountTokenQuery): boolean {
  return unusedSince !== undefined || refusedSinceUse !== undefined;
}

/** Returns the filters of the query as conditions on the tokens of its section. */
export function filtersOf(query: AccountTokenQuery): readonly Condition[] {
  const { accountId, section, state, scope, creator, creatorInactive, search } = query;
  const { unusedSince, refusedSinceUse, neverExpiring, overPolicy, expiringBefore } = query;
  const all: Condition[] = [];
  const ofAccepted = unusedSince ?? refusedSinceUse ?? neverExpiring ?? overPolicy ?? expiringBefore;
  if (section === 'ended' && ofAccepted !== undefined) all.push(NOTHING);
  if (state !== undefined) all.push(...stateConditions(query, state));
  if (scope !== undefined) all.push(sql`tokens.scopes @> array[${scope}]`);
  if (creator !== undefined) {
    // Uses the indexes users_email_key_unique and tokens_user_id.
    const keys = emailKeysOf(creator);
    all.push(sql`tokens.user_id = (select id from users where account_id = ${accountId} and ${isStoredUnder(keys)}
      order by ${formerFirst(keys)} limit 1)`);
  }
  if (creatorInactive && section === 'active') all.push(NOTHING);
  if (creatorInactive && section === 'ended') all.push(isCreatorInactive(query));
  if (search !== undefined) all.push(isFoundBy(query, search));
  if (unusedSince !== undefined) all.push(isUnusedSince(unusedSince));
  // Uses the index token_usage_refused.
  if (refusedSinceUse) all.push(sql`usage.refused_since_use`);
  // Uses the indexes tokens_open and tokens_open_by_expiry.
  if (neverExpiring) all.push(sql`${EXPIRY} = 'infinity'`);
  if (overPolicy) all.push(isOverPolicyOf(query));
  if (expiringBefore !== undefined) {
    all.push(sql`${EXPIRY} < ${moment(expiringBefore)}`);
  }
  return all;
}

function stateConditions(
  query: AccountTokenQuery,
  state: NonNullable<AccountTokenQuery['state']>,
): readonly Condition[] {
  const { accountId, section } = query;
  if (isAcceptedIn(state)) {
    if (section !== 'active') return [NOTHING];
    // A replaced token is still accepted: until its successor is first used, and for a while after that use. Uses the
    // indexes tokens_succeeded and tokens_being_replaced.
    const replaced: Condition = sql`tokens.id = any(array(
      select replaces from tokens where account_id = ${accountId} and replaces is not null and revoked_at is null
      union all
      select id from tokens where account_id = ${accountId} and replaced_at is not null and revoked_at is null))`;
    return [state === 'active' ? sql`not ${replaced}` : replaced];
  }
  return section === 'active' ? [NOTHING] : [or(...partsOfState(state, query))];
}

/**
 * Returns the condition that a search finds a token. Uses the index tokens_user_id and the index of `hasAddress`. Names
 * are compared without an index, because the tokens are read in any case.
 */
function isFoundBy({ accountId }: AccountTokenQuery, text: string): Condition {
  const search = tokenSearch(text);
  const { id, addresses } = search;
  return sql`(${isNamed(sql`tokens.name`, search)}
    or tokens.user_id = any(array(${usersFound(accountId, search)}))
    ${id === undefined ? sql`` : sql`or tokens.id = ${id}`}
    ${addresses ? sql`or ${hasAddress(addresses)}` : sql``})`;
}
