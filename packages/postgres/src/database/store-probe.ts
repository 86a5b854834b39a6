import type { StoreProbe } from '@gatehouse/domain/health';
import type { Instant } from '@gatehouse/domain/time';
import { sql } from 'kysely';
import type { Database } from './database.ts';
import { schemaState } from './migrate.ts';
import { onPrimary } from './primary-only.ts';

/** Inspects a PostgreSQL database, with any schema. */
export function createPostgresStoreProbe(database: Database): StoreProbe {
  return {
    async now() {
      const { rows } = await sql<{
        now: Instant;
      }>`select clock_timestamp()::timestamptz(3) as now where ${onPrimary}`.execute(database.queries);
      const [row] = rows;
      if (!row) throw new Error('the database returned no time');
      return row.now;
    },

    schemaState: () => schemaState(database),

    async publicAccess() {
      const { rows } = await sql<{ database: string; own: string; other: string }>`
        with this as (
          select datname, datdba, coalesce(datacl, acldefault('d', datdba)) as acl
          from pg_database where datname = current_database()
        ), invited as (
          select datdba as role, false as everyone from this
          union select grantee, grantee = 0 from this, aclexplode(acl) where privilege_type = 'CONNECT'
        )
        select quote_ident(datname) as database, quote_ident(current_user) as own, quote_ident(rolname) as other
        from this, pg_roles
        where ${onPrimary} and rolcanlogin and not rolsuper and rolname <> current_user
        and exists (select from invited where everyone)
        and not exists (select from invited where not everyone and pg_has_role(pg_roles.oid, role, 'usage'))
        order by rolname`.execute(database.queries);
      const [first, ...others] = rows;
      if (first === undefined) return undefined;
      return {
        database: first.database,
        ownRole: first.own,
        otherRoles: [first.other, ...others.map(({ other }) => other)],
      };
    },

    async objectCreation() {
      const { rows } = await sql<{ database: string; schema: string; own: string; other: string }>`
        select quote_ident(datname) as database, quote_ident(nspname) as schema,
          quote_ident(current_user) as own, quote_ident(rolname) as other
        from pg_database, pg_namespace, pg_roles
        where ${onPrimary} and datname = current_database() and nspname = current_schema()
        and rolcanlogin and not rolsuper and rolname <> current_user
        and not pg_has_role(pg_roles.oid, datdba, 'usage') and not pg_has_role(pg_roles.oid, nspowner, 'usage')
        and (has_database_privilege(pg_roles.oid, pg_database.oid, 'CREATE')
          or has_schema_privilege(pg_roles.oid, pg_namespace.oid, 'CREATE'))
        order by rolname`.execute(database.queries);
      const [first, ...others] = rows;
      if (first === undefined) return undefined;
      const { database: name, schema, own: ownRole } = first;
      return {
        database: name,
        schema,
        ownRole,
        otherRoles: [first.other, ...others.map(({ other }) => other)],
      };
    },
  };
}
