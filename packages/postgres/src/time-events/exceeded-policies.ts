import { type AccountId, parseAccountId } from '@gatehouse/domain/accounts';
import type { AuditEvent } from '@gatehouse/domain/audit';
import type { TimeEvents } from '@gatehouse/domain/time-events';
import { sql } from 'kysely';
import { insertAuditEvents } from '../audit/audit-events.ts';
import type { Queries } from '../database/schema.ts';
import { HAS_LIMIT, RULES } from '../token-policy/over-policy.ts';
import { tokenReading } from '../tokens/token-queries.ts';

/** All limits of a row of `RULES`. */
const LIMITS = sql`row(policy.must_expire, policy.max_lifetime_ms, policy.scopes, policy.must_have_networks,
  floor.must_expire, floor.max_lifetime_ms, floor.scopes, floor.must_have_networks)::text`;

/** Finds accounts whose limits changed, and records those that have tokens which break the limits. */
export const recordExceededPolicies =
  (db: Queries): TimeEvents['recordExceededPolicies'] =>
  ({ now, limit, countLimit }, audit) =>
    db.transaction().execute(async (tx) => {
      await forgetUnlimited(tx);
      const accounts = await markChanged(tx, limit);
      const events: AuditEvent[] = [];
      for (const accountId of accounts) {
        const filter = { accountId, kind: 'api', overPolicy: true, now, limit: countLimit } as const;
        const tokens = await tokenReading(tx).count(filter);
        if (tokens > 0) events.push(audit(accountId, tokens));
      }
      if (events.length > 0) await insertAuditEvents(tx, events);
      return { more: accounts.length === limit };
    });

/** Deletes the marks of accounts without limits, so that the same limits count as changed when they are set again. */
async function forgetUnlimited(tx: Queries): Promise<void> {
  await sql`
    delete from time_event_marks where fact = 'policy.exceeded' and not exists (
      select from ${RULES} where policy.account_id::text = time_event_marks.subject and ${HAS_LIMIT})`.execute(
    tx,
  );
}

/**
 * Marks accounts with the digests of their limits, and returns those whose digest changed. A second server waits for
 * the marks of the first one, and then finds nothing changed.
 */
async function markChanged(tx: Queries, limit: number): Promise<readonly AccountId[]> {
  const { rows } = await sql<{ subject: string }>`
    insert into time_event_marks as kept (fact, subject, mark)
    select 'policy.exceeded', found.subject, found.mark
    from (
      select policy.account_id::text as subject, md5(string_agg(${LIMITS}, ' ' order by policy.holder)) as mark
      from ${RULES} group by policy.account_id having bool_or(${HAS_LIMIT})
    ) as found
    left join time_event_marks as marked on marked.fact = 'policy.exceeded' and marked.subject = found.subject
    where marked.mark is distinct from found.mark
    order by found.subject limit ${limit}
    on conflict (fact, subject) do update set mark = excluded.mark where kept.mark <> excluded.mark
    returning subject`.execute(tx);
  return rows.flatMap(({ subject }) => parseAccountId(subject) ?? []);
}
