import type { UnfitProperty } from '@gatehouse/domain/health';
import { sql } from 'kysely';
import { onPrimary } from '../primary/primary-only.ts';
import type { Queries } from '../schema.ts';

const NEEDED_VERSION = 15;

interface Properties {
  readonly encoding: string;
  readonly database: string;
  readonly ownRole: string;
  readonly replicationRole: string;
  readonly readOnly: string;
  readonly path: string | null;
  /** Statements that reset the settings of the role or the database, by the name of the setting. */
  readonly resets: Readonly<Record<string, string[]>>;
  /** The statement that lets the role use the schema of the default search path. */
  readonly grant: string;
  readonly made: string | null;
  readonly now: string | null;
}

/**
 * Selects the settings of the database and of the role that signed in, with the statements that reset them. If `set
 * role` has chosen another role, the settings of that role do not apply.
 */
const RESETS = sql`(
  select coalesce(jsonb_object_agg(setting, statements), '{}') from (
    select split_part(entry, '=', 1) as setting, jsonb_agg(concat('alter ', case
      when setrole = 0 and setdatabase = 0 then 'role all'
      when setrole = 0 then format('database %I', datname)
      when setdatabase = 0 then format('role %I', session_user)
      else format('role %I in database %I', session_user, datname) end,
      ' reset ', split_part(entry, '=', 1), ';')) as statements
    from pg_db_role_setting as set, unnest(set.setconfig) as entry
    where set.setdatabase in (0, pg_database.oid)
    and set.setrole in (0, (select oid from pg_roles where rolname = session_user))
    group by 1) as found)`;

/** Returns the properties of the server, the database and the role's sessions with which Gatehouse does not work. */
export async function unfitProperties(queries: Queries): Promise<readonly UnfitProperty[]> {
  const old = await oldVersion(queries);
  // The next statement calls functions that older versions do not have.
  if (old !== undefined) return [{ code: 'database_too_old', version: old, needed: NEEDED_VERSION }];
  const { rows } = await sql<Properties>`
    select current_setting('server_encoding') as encoding, quote_ident(datname) as database,
      quote_ident(current_user) as "ownRole", current_setting('session_replication_role') as "replicationRole",
      current_setting('default_transaction_read_only') as "readOnly",
      datcollversion as made, pg_database_collation_actual_version(oid) as now,
      current_schema() as path, ${RESETS} as resets,
      case when to_regnamespace('public') is null then format('create schema public authorization %I;', current_user)
        else format('grant usage, create on schema public to %I;', current_user) end as grant
    from pg_database where ${onPrimary} and datname = current_database()`.execute(queries);
  const [found] = rows;
  if (found === undefined) return [];
  const { encoding, database, ownRole, replicationRole, readOnly, path, resets, grant, made, now } = found;
  const mendsOf = (setting: string) => resets[setting] ?? [];
  const unfit: UnfitProperty[] = [];
  if (encoding !== 'UTF8') unfit.push({ code: 'database_encoding', encoding, database, ownRole });
  if (replicationRole === 'replica') {
    unfit.push({ code: 'database_triggers_off', ownRole, mends: mendsOf('session_replication_role') });
  }
  if (readOnly === 'on') {
    unfit.push({ code: 'database_read_only', mends: mendsOf('default_transaction_read_only') });
  }
  // No role can create tables in a schema of the system.
  if (path === null || path.startsWith('pg_')) {
    const set = mendsOf('search_path');
    unfit.push({ code: 'database_search_path', ownRole, mends: set.length > 0 ? set : [grant] });
  }
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
