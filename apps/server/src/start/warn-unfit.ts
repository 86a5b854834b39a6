import { describeFinding } from '@gatehouse/domain/health';
import { createPostgresStoreProbe, type Database } from '@gatehouse/postgres';
import type { Log } from '../logging/line-kind.ts';

/** Logs each property of the database that causes problems to this server. */
export async function warnOfUnfitDatabase(database: Database, log: Log): Promise<void> {
  for (const property of await createPostgresStoreProbe(database).unfitProperties()) {
    const { message, remedy } = describeFinding(property);
    log.warn({ code: property.code }, `${message} ${remedy}`);
  }
}
