import { formatInstant } from '@gatehouse/domain/time';
import type { TimeEvents } from '@gatehouse/domain/time-events';
import { sql } from 'kysely';
import { insertAuditEvents } from '../audit/audit-events.ts';
import type { Queries } from '../database/schema.ts';
import { selectKeys, toSigningKey } from '../signing-keys/key-records.ts';

/**
 * Records keys that are due. There are few keys. A second server waits for the mark of the first one, and then has
 * nothing to record.
 */
export const recordDueKeys =
  (db: Queries): TimeEvents['recordDueKeys'] =>
  ({ activatedUntil, limit }, audit) =>
    db.transaction().execute(async (tx) => {
      const { rows: marked } = await sql<{ id: string }>`
        insert into time_event_marks (fact, subject, mark)
        select 'key.due', id, '' from signing_keys
        where state = 'active' and activated_at <= ${formatInstant(activatedUntil)}::timestamptz
          and not exists (select from time_event_marks where fact = 'key.due' and subject = signing_keys.id)
        order by id limit ${limit}
        on conflict do nothing
        returning subject as id`.execute(tx);
      if (marked.length === 0) return { more: false };
      const ids = sql<string>`any(${marked.map(({ id }) => id)}::text[])`;
      const keys = await selectKeys(tx).where(sql<boolean>`id = ${ids}`).orderBy('id').execute();
      await insertAuditEvents(tx, keys.map(toSigningKey).map(audit));
      return { more: marked.length === limit };
    });
