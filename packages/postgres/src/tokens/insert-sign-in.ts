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
  readonly isSurplus: boolean;
}

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
    const [{ refusal, isSurplus } = { refusal: null, isSurplus: false }] = rows;
    return refusal === null ? ok({ isSurplus }) : err({ code: refusal });
  };
}

function inserting(values: Values) {
  const { verifiedHash, needsActiveKey, events } = values;
  const at = moment(values.created_at);
  return sql<Verdict>`
    with ${foundations(values)}, verdict as materialized (
      select case
        when ${isCreatorUnfit(at)} then 'creator_not_fit'
        when owner.password_hash is distinct from ${verifiedHash} then 'password_changed'
        when ${isKeyUnusable(at)} or (${needsActiveKey}::boolean and key.state <> 'active') then 'key_not_usable'
      end as refusal
      from ${FOUND}
    ), ${insertion(values, events)}
    select ${REFUSAL} as refusal, refusal is null and exists (${surplus(values)}) as "isSurplus"
    from verdict`;
}

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
