/** PostgreSQL cannot parse this as a number, and repeats it in the error message. */
const AMBIGUOUS = 'more than one schema of the search path has the tables of gatehouse';

/**
 * What each session sets first, because statements depend on it and the database or the role may say otherwise:
 *
 * - The search path is the one schema that has our tables. In the default path, `"$user", public`, another role that may
 *   create objects could add functions of the names and types that our statements use, and they would run with our
 *   rights (CVE-2018-1058). Until it is set, names are qualified. A schema that another ordinary role owns is passed over,
 *   as it could hold tables of the same names. A database without tables keeps its path.
 * - Changes wait for a lock on their user or key and then read what the transaction before them wrote, which needs READ
 *   COMMITTED. Transactions also name it themselves (`ReadCommittedDriver`).
 * - Times and arrays are written and read in one form.
 *
 * A connection pooler in transaction mode loses it (docs/operations.md).
 */
export const SESSION_SETTINGS = `
  select
    pg_catalog.set_config('search_path', pg_catalog.min(pg_catalog.quote_ident(space.nspname)), false),
    cast(case when pg_catalog.count(*) operator(pg_catalog.>) 1
      then '${AMBIGUOUS}' else '0' end as pg_catalog.int4)
  from pg_catalog.pg_namespace as space
  join pg_catalog.pg_roles as owner on owner.oid operator(pg_catalog.=) space.nspowner
  join pg_catalog.pg_class as migrations on migrations.relnamespace operator(pg_catalog.=) space.oid
    and migrations.relname operator(pg_catalog.=) 'kysely_migration'
  where space.nspname operator(pg_catalog.=) any (pg_catalog.current_schemas(false))
  and pg_catalog.pg_has_role(migrations.relowner, 'usage')
  and (owner.rolsuper or owner.rolname operator(pg_catalog.=) any (array[current_user, 'pg_database_owner'])
    or exists (select from pg_catalog.pg_database as this
      where this.datname operator(pg_catalog.=) pg_catalog.current_database()
      and this.datdba operator(pg_catalog.=) owner.oid))
  having pg_catalog.count(*) operator(pg_catalog.>) 0;
  set default_transaction_isolation = 'read committed';
  set datestyle = 'ISO';
  set array_nulls = on`;
