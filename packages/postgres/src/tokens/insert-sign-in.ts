import { err, ok } from '@gatehouse/domain';
import type { SignInInsertRefusal, TokenRepository } from '@gatehouse/domain/tokens';
import type { PasswordHash, UserId } from '@gatehouse/domain/users';
import { sql } from 'kysely';
import { auditColumns, auditJson, auditRecordsIn } from '../audit/audit-events.ts';
import type { Queries } from '../database/schema.ts';
import { compileOnce } from '../database/statements/compile-once.ts';
import { foundations } from './insert-token.ts';
import { EXPIRY, isLiveSince } from './live-tokens.ts';
import { type TokenRow, tokenRow, tokenRowColumns, tokenRowOf } from './token-row.ts';

interface Values extends TokenRow {
  readonly verifiedHash: PasswordHash;
  readonly needsActiveKey: boolean;
  /** How many of the user's other sign-ins may be live. */
  readonly others: number;
  readonly events: string;
}

interface Verdict {
  readonly refusal: SignInInsertRefusal['code'] | null;
  readonly isSurplus: boolean;
}

/**
 * Checks, locks and inserts in one statement, as `insertToken` does. The other sign-ins are those that were committed
 * before: counting under a lock would make the user's sign-ins wait for each other.
 */
export function insertSignIn(db: Queries): TokenRepository['insertSignIn'] {
  const statement = compileOnce<Values, Verdict>((values) => ({
    compile: () => inserting(values).compile(db),
  }));
  return async (token, { verifiedHash, needsActiveKey, keep }, event) => {
    const values = { ...tokenRowOf(token), verifiedHash, needsActiveKey, others: keep - 1 };
    const { rows } = await db.executeQuery(statement({ ...values, events: auditJson([event]) }));
    const [{ refusal, isSurplus } = { refusal: null, isSurplus: false }] = rows;
    return refusal === null ? ok({ isSurplus }) : err({ code: refusal });
  };
}

function inserting(values: Values) {
  const { verifiedHash, needsActiveKey } = values;
  return sql<Verdict>`
    with ${foundations(values)}, verdict as materialized (
      select case
        when account.id is null or account.suspended_at is not null
          or owner.role is null or owner.disabled_at is not null then 'creator_not_fit'
        when owner.password_hash is distinct from ${verifiedHash} then 'password_changed'
        when key.state is null or key.state not in ('active', 'verify-only')
          or (${needsActiveKey}::boolean and key.state <> 'active') then 'key_not_usable'
      end as refusal
      from (values (1)) as always left join account on true left join owner on true left join key on true
    ), inserted as (
      insert into tokens ${tokenRowColumns}
      select ${tokenRow(values)} from verdict where refusal is null
      on conflict (id) do nothing
      returning id
    ), recorded as (
      insert into audit_events ${auditColumns}
      select event.* from inserted cross join ${auditRecordsIn(values.events)}
    )
    select coalesce(refusal, case when not exists (select from inserted) then 'token_id_taken' end) as refusal,
      refusal is null and exists (${surplus(values)}) as "isSurplus"
    from verdict`;
}

/** tokens_live_of_user, no further than the number that is kept */
function surplus({ userId, createdAt, others }: { userId: UserId; createdAt: string; others: number }) {
  return sql`
    select from tokens
    where tokens.user_id = ${userId}::bigint and tokens.kind = 'sign-in' and ${isLiveSince(createdAt)}
    order by ${EXPIRY} offset ${others}`;
}
