import { err, ok } from '@gatehouse/domain';
import type { SignInInsertRefusal, TokenRepository } from '@gatehouse/domain/tokens';
import type { PasswordHash } from '@gatehouse/domain/users';
import { sql } from 'kysely';
import { auditJson } from '../audit/audit-events.ts';
import type { Queries } from '../database/schema.ts';
import { compileOnce } from '../database/statements/compile-once.ts';
import { moment } from '../database/statements/conditions.ts';
import { EXPIRY, isLiveAt } from './refusal-conditions.ts';
import { type TokenRow, tokenRowOf } from './token-columns.ts';
import { FOUND, foundations, insertion, isCreatorUnfit, isKeyUnusable, REFUSAL } from './token-insertion.ts';

interface Values extends TokenRow {
  readonly verifiedHash: PasswordHash;
  readonly needsActiveKey: boolean;
  /** How many other live sign-in tokens the user may keep. */
  readonly others: number;
  readonly events: string;
}

interface Verdict {
  readonly refusal: SignInInsertRefusal['code'] | null;
  readonly maxLifetimeMs: number | null;
  readonly isSurplus: boolean;
}

const NO_VERDICT: Verdict = { refusal: null, maxLifetimeMs: null, isSurplus: false };

/**
 * Checks again everything that a sign-in token depends on, such as its user and its key, and inserts the token, in one
 * statement. The statement counts only sign-ins of the user that were committed before it. Counting under a lock would
 * make the sign-ins of a user wait for each other.
 */
export function insertSignIn(db: Queries): TokenRepository['insertSignIn'] {
  const statement = compileOnce(db, inserting);
  return async (token, { verifiedHash, needsActiveKey, keep }, event) => {
    const values = { ...tokenRowOf(token), verifiedHash, needsActiveKey, others: keep - 1 };
    const { rows } = await db.executeQuery(statement({ ...values, events: auditJson([event]) }));
    const [{ refusal, maxLifetimeMs, isSurplus } = NO_VERDICT] = rows;
    if (refusal === null) return ok({ isSurplus });
    return err(
      refusal === 'lifetime_not_allowed'
        ? { code: refusal, holder: 'person', maxLifetimeMs }
        : { code: refusal },
    );
  };
}

function inserting(values: Values) {
  const { verifiedHash, needsActiveKey, events } = values;
  const at = moment(values.created_at);
  return sql<Verdict>`
    with ${foundations(values)}, ${longestLifetime}, verdict as materialized (
      select case
        when ${isCreatorUnfit(at)} then 'creator_not_fit'
        when owner.password_hash is distinct from ${verifiedHash} or ${isPasswordNotEnough}
          then 'password_changed'
        when ${isKeyUnusable(at)} or (${needsActiveKey}::boolean and key.state <> 'active') then 'key_not_usable'
        when ${moment(values.expires_at as string)} > ${at} + longest.lifetime_ms * interval '1 millisecond'
          then 'lifetime_not_allowed'
      end as refusal, longest.lifetime_ms
      from ${FOUND} left join longest on true
    ), ${insertion(values, events)}
    select ${REFUSAL} as refusal, lifetime_ms as "maxLifetimeMs", refusal is null and exists (${surplus(values)}) as "isSurplus"
    from verdict`;
}

/** The condition that the user has or must have a second factor, for which the API has no place. */
const isPasswordNotEnough = sql`(
  owner.second_factor_at is not null or (account.second_factor = 'admins' and owner.role = 'admin'))`;

/**
 * The part of the statement that locks the rules for the lifetime of the token. Sign-in tokens belong to persons, and
 * always expire. The account is locked before, so a change of the rules that is under way is waited for and seen.
 */
const longestLifetime = sql`
  longest as (
    select least(policy.max_lifetime_ms, floor.max_lifetime_ms) as lifetime_ms
    from account
    join token_policies as policy on policy.account_id = account.id and policy.holder = 'person'
    join token_floors as floor on floor.holder = policy.holder
    for share of policy, floor
  )`;

/**
 * Finds a row if the user has more live sign-in tokens than may be kept. Reads only as many entries of the index
 * tokens_live_of_user as that needs.
 */
function surplus({ user_id, created_at, others }: Values) {
  return sql`
    select from tokens
    where tokens.user_id = ${user_id}::bigint and tokens.kind = 'sign-in' and ${isLiveAt(created_at)}
    order by ${EXPIRY} offset ${others}`;
}
