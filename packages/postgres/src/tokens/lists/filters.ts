import { type AccountTokenQuery, addressSearch, isAcceptedIn } from '@gatehouse/domain/tokens';
import { sql } from 'kysely';
import { type Condition, moment, or } from '../../database/statements/conditions.ts';
import { emailKeysOf, formerFirst, isStoredUnder } from '../../users/user-records.ts';
import { EXPIRY } from '../refusal-conditions.ts';
import { hasAddress } from './address-search.ts';
import { isCreatorInactive, partsOfState } from './sections.ts';
import { beginsWith, usersWhoBegin } from './text-search.ts';
import { isUnusedSince } from './usage-of-base.ts';

const NOTHING: Condition = sql`false`;

/** Whether the filters need `token_usage as usage`. */
export function isAboutUse({ unusedSince, refusedSinceUse }: AccountTokenQuery): boolean {
  return unusedSince !== undefined || refusedSinceUse !== undefined;
}

/** The filters of the query as conditions on the tokens of its section. */
export function filtersOf(query: AccountTokenQuery): readonly Condition[] {
  const { accountId, section, state, scope, creator, creatorInactive, search } = query;
  const { unusedSince, refusedSinceUse, neverExpiring, expiringBefore } = query;
  const all: Condition[] = [];
  const ofAccepted = unusedSince ?? refusedSinceUse ?? neverExpiring ?? expiringBefore;
  if (section === 'ended' && ofAccepted !== undefined) all.push(NOTHING);
  if (state !== undefined) all.push(...stateConditions(query, state));
  if (scope !== undefined) all.push(sql`tokens.scopes @> array[${scope}]`);
  if (creator !== undefined) {
    // users_email_key_unique, tokens_user_id
    const keys = emailKeysOf(creator);
    all.push(sql`tokens.user_id = (select id from users where account_id = ${accountId} and ${isStoredUnder(keys)}
      order by ${formerFirst(keys)} limit 1)`);
  }
  if (creatorInactive && section === 'active') all.push(NOTHING);
  if (creatorInactive && section === 'ended') all.push(isCreatorInactive(query));
  if (search !== undefined) all.push(isFoundBy(query, search));
  if (unusedSince !== undefined) all.push(isUnusedSince(unusedSince));
  // token_usage_refused
  if (refusedSinceUse) all.push(sql`usage.refused_since_use`);
  // tokens_open, tokens_open_by_expiry
  if (neverExpiring) all.push(sql`${EXPIRY} = 'infinity'`);
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
    // Accepted beside its successor, or for a while after the successor's first use. tokens_succeeded,
    // tokens_being_replaced
    const replaced: Condition = sql`tokens.id = any(array(
      select replaces from tokens where account_id = ${accountId} and replaces is not null and revoked_at is null
      union all
      select id from tokens where account_id = ${accountId} and replaced_at is not null and revoked_at is null))`;
    return [state === 'active' ? sql`not ${replaced}` : replaced];
  }
  return section === 'active' ? [NOTHING] : [or(...partsOfState(state, query))];
}

/** tokens_open_by_name, tokens_user_id, and the indexes of `hasAddress` */
function isFoundBy({ accountId }: AccountTokenQuery, search: string): Condition {
  const addresses = addressSearch(search);
  return sql`(${beginsWith(sql`lower(tokens.name)`, sql`lower(${search}::text)`)}
    or tokens.user_id = any(array(${usersWhoBegin(accountId, search)}))
    ${addresses ? sql`or ${hasAddress(addresses)}` : sql``})`;
}
