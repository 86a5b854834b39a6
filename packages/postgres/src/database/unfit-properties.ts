import type { UnfitProperty } from '@gatehouse/domain/health';
import { sql } from 'kysely';
import { onPrimary } from './primary-only.ts';
import type { Queries } from './schema.ts';

const NEEDED_VERSION = 15;

interface Properties {
  readonly encoding: string;
  readonly database: string;
  readonly ownRole: string;
  readonly replicationRole: string;
  readonly readOnly: string;
  readonly made: string | null;
  readonly now: string | null;
}

/** Returns the properties of the server, the database and the role's sessions under which this program does not work. */
export async function unfitProperties(queries: Queries): Promise<readonly UnfitProperty[]> {
  const old = await oldVersion(queries);
  // It lacks what the next statement asks for.
  if (old !== undefined) return [{ code: 'database_too_old', version: old, needed: NEEDED_VERSION }];
  const { rows } = await sql<Properties>`
    select current_setting('server_encoding') as encoding, quote_ident(datname) as database,
      quote_ident(current_user) as "ownRole", current_setting('session_replication_role') as "replicationRole",
      current_setting('default_transaction_read_only') as "readOnly",
      datcollversion as made, pg_database_collation_actual_version(oid) as now
    from pg_database where ${onPrimary} and datname = current_database()`.execute(queries);
  const [found] = rows;
  if (found === undefined) return [];
  const { encoding, database, ownRole, replicationRole, readOnly, made, now } = found;
  const unfit: UnfitProperty[] = [];
  if (encoding !== 'UTF8') unfit.push({ code: 'database_encoding', encoding, database, ownRole });
  if (replicationRole === 'replica') unfit.push({ code: 'database_triggers_off', ownRole });
  if (readOnly === 'on') unfit.push({ code: 'database_read_only', ownRole });
  if (made !== null && now !== null && made !== now) {
    unfit.push({ code: 'database_collation_changed', database, made, now });
  }
  return unfit;
}

async function oldVersion(queries: Queries): Promise<string | undefined> {
  const { rows } = await sql<{ number: number; version: string }>`
    select current_setting('server_version_num')::integer as number, current_setting('server_version') as version
    where ${onPrimary}`.execute(queries);
  const [{ number, version } = { number: Number.POSITIVE_INFINITY, version: '' }] = rows;
  return number < NEEDED_VERSION * 10_000 ? version : undefined;
}
