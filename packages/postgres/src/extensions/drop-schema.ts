import { UnavailableFault } from '@gatehouse/domain';
import type { AuditEvent } from '@gatehouse/domain/audit';
import { createBackoff } from '@gatehouse/domain/time';
import { sql } from 'kysely';
import { insertAuditEvents } from '../audit/audit-events.ts';
import { LockTimeout } from '../database/faults.ts';
import { BACKOFF, LOCK_TIMEOUT_MS, MAX_TRIES } from '../database/migrator/migrate.ts';
import { liftTimeLimits } from '../database/migrator/while-locked.ts';
import { pause } from '../database/pause.ts';
import type { Queries } from '../database/schema.ts';

/**
 * Drops a schema and all that is in it, and writes the event. Dropping a foreign key locks the table that it refers to, and
 * requests for that table would wait. Therefore each wait for a lock is short, and is repeated as in a migration.
 */
export async function dropSchema(queries: Queries, schema: string, event: AuditEvent): Promise<void> {
  const backoff = createBackoff(BACKOFF);
  for (let tries = 1; ; tries += 1) {
    try {
      return await queries.transaction().execute(async (tx) => {
        await liftTimeLimits(tx);
        await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT_MS)}`.execute(tx);
        await tx.schema.dropSchema(schema).cascade().execute();
        await insertAuditEvents(tx, [event]);
      });
    } catch (error) {
      if (!(error instanceof LockTimeout)) throw error;
      if (tries === MAX_TRIES) {
        throw new UnavailableFault(
          `${schema} was not dropped, because after ${MAX_TRIES} tries another session still holds a lock on its tables: end that transaction or wait for it, and try again`,
        );
      }
      await pause(backoff.next());
    }
  }
}
