import type pg from 'pg';

/** A setting of PostgreSQL with another value than it has now. */
export interface OtherValue {
  readonly name: string;
  readonly value: string;
}

interface SettingRow {
  readonly name: string;
  readonly type: 'bool' | 'enum' | 'integer' | 'real' | 'string';
  readonly now: string;
  readonly least: string | null;
  readonly most: string | null;
  readonly choices: readonly string[] | null;
}

/** Longer than setting up a session takes, shorter than a migration. */
const SHORT_MS = '20';

/**
 * The texts that PostgreSQL accepts for a setting. `undefined`: the setting belongs to each connection, or a role
 * cannot have it.
 */
const TEXTS: Readonly<Record<string, readonly string[] | undefined>> = {
  DateStyle: ['SQL, DMY', 'German', 'Postgres, MDY'],
  IntervalStyle: ['iso_8601'],
  TimeZone: ['Asia/Kathmandu', 'Europe/Amsterdam', 'America/St_Johns'],
  application_name: ['shop'],
  backtrace_functions: ['errstart'],
  client_encoding: ['LATIN1', 'SQL_ASCII', 'SJIS'],
  createrole_self_grant: ['set, inherit'],
  debug_io_direct: undefined,
  default_table_access_method: ['heap'],
  default_tablespace: ['pg_default'],
  default_text_search_config: ['pg_catalog.german'],
  dynamic_library_path: ['$libdir:/nowhere'],
  extension_control_path: ['$system:/nowhere'],
  lc_messages: ['C'],
  lc_monetary: ['C'],
  lc_numeric: ['C'],
  lc_time: ['C'],
  local_preload_libraries: ['nowhere'],
  log_connections: undefined,
  log_timezone: undefined,
  'plpgsql.extra_errors': ['all'],
  'plpgsql.extra_warnings': ['all'],
  restrict_nonsystem_relation_kind: ['view'],
  role: undefined,
  search_path: ['nowhere', '"$user"', 'pg_catalog, public'],
  session_authorization: undefined,
  session_preload_libraries: ['nowhere'],
  temp_tablespaces: ['pg_default'],
  timezone_abbreviations: ['India', 'Australia'],
  wal_consistency_checking: ['all'],
};

/** Settings that no role and no database can have. */
const OF_TRANSACTIONS = /^transaction_(deferrable|isolation|read_only)$|^seed$/;

/**
 * Other values for every setting that the owner of a database may give it (`pg_settings`), and for those of a superuser if
 * this client is one. A setting whose texts are unknown here is an error: it needs an entry in `TEXTS`.
 */
export async function otherValues(client: pg.Client): Promise<readonly OtherValue[]> {
  // PL/pgSQL has settings once it is loaded.
  await client.query('do $$ begin end $$');
  const { rows } = await client.query<SettingRow>(`
    select name, vartype as type, setting as now, min_val as least, max_val as most, enumvals as choices
    from pg_settings
    where context = 'user' or context = 'superuser' and (select usesuper from pg_user where usename = current_user)
    order by name`);
  return rows
    .filter(({ name }) => !OF_TRANSACTIONS.test(name))
    .flatMap((row) => valuesOf(row).map((value) => ({ name: row.name, value })));
}

function valuesOf({ name, type, now, least, most, choices }: SettingRow): readonly string[] {
  switch (type) {
    case 'bool':
      return [now === 'on' ? 'off' : 'on'];
    case 'enum':
      return (choices ?? []).filter((choice) => choice !== now);
    case 'integer':
    case 'real': {
      // Most are unlimited by default.
      const values = name.endsWith('_timeout') && now !== SHORT_MS ? [SHORT_MS, most] : [least, most];
      return values.filter((value) => value !== null && value !== now) as string[];
    }
    case 'string':
      if (!(name in TEXTS)) throw new Error(`${name} has texts: say in ${import.meta.url} which it may have`);
      return (TEXTS[name] ?? []).filter((value) => value !== now);
  }
}

/** Groups of settings that are set together: each group has one value of each setting, until all values were used. */
export function grouped(values: readonly OtherValue[]): readonly (readonly OtherValue[])[] {
  const groups: OtherValue[][] = [];
  for (const [, ofSetting] of Map.groupBy(values, ({ name }) => name)) {
    for (const [index, value] of ofSetting.entries()) {
      groups[index] ??= [];
      groups[index].push(value);
    }
  }
  return groups;
}
