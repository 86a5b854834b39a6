/**
 * What each session sets first, because statements depend on it and the database or the role may say otherwise:
 *
 * - The search path is the one schema that has our tables. In the default path, `"$user", public`, another role that may
 *   create objects could add functions of the names and types that our statements use, and they would run with our
 *   rights (CVE-2018-1058). Until it is set, names are qualified. A database without tables keeps its path.
 * - Changes wait for a lock on their user or key and then read what the transaction before them wrote, which needs READ
 *   COMMITTED. Transactions also name it themselves (`ReadCommittedDialect`).
 * - Times and arrays are written and read in one form.
 *
 * A connection pooler in transaction mode loses it (docs/operations.md).
 */
export const SESSION_SETTINGS = `
  select pg_catalog.set_config('search_path', pg_catalog.quote_ident(space.nspname), false)
  from pg_catalog.unnest(pg_catalog.current_schemas(false)) with ordinality as path (name, place)
  join pg_catalog.pg_namespace as space on space.nspname operator(pg_catalog.=) path.name
  join pg_catalog.pg_class as migrations on migrations.relnamespace operator(pg_catalog.=) space.oid
    and migrations.relname operator(pg_catalog.=) 'kysely_migration'
  where pg_catalog.pg_has_role(migrations.relowner, 'usage')
  order by path.place
  limit 1;
  set default_transaction_isolation = 'read committed';
  set datestyle = 'ISO';
  set array_nulls = on`;
