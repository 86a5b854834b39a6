import type { StoreProbe } from '@gatehouse/domain/health';
import type { Instant } from '@gatehouse/domain/time';
import { sql } from 'kysely';
import type { Database } from '../database.ts';
import { schemaState } from '../migrator/schema-state.ts';
import { unfitProperties } from '../migrator/unfit-properties.ts';
import { onPrimary } from './primary-only.ts';

/** The largest number of unexpected objects that are listed. Another role may have created any number. */
const MAX_OBJECTS = 1000;

type Found<Method extends keyof StoreProbe> = NonNullable<Awaited<ReturnType<StoreProbe[Method]>>>;

const NAMES = sql`array_agg(quote_ident(rolname) order by rolname)`;

/** Inspects a PostgreSQL database, whatever the version of its schema. */
export function createPostgresStoreProbe(database: Database): StoreProbe {
  return {
    async now() {
      const now = sql<Instant>`clock_timestamp()::timestamptz(3)`.as('now');
      return (await database.queries.selectNoFrom(now).executeTakeFirstOrThrow()).now;
    },

    schemaState: () => schemaState(database),

    unfitProperties: () => unfitProperties(database.queries),

    async publicAccess() {
      const { rows } = await sql<Found<'publicAccess'>>`
        with this as (
          select datname, datdba, coalesce(datacl, acldefault('d', datdba)) as acl
          from pg_database where datname = current_database()
        ), invited as (
          select datdba as role, false as everyone from this
          union select grantee, grantee = 0 from this, aclexplode(acl) where privilege_type = 'CONNECT'
        )
        select quote_ident(datname) as database, quote_ident(current_user) as "ownRole", ${NAMES} as "otherRoles"
        from this, pg_roles
        where ${onPrimary} and rolcanlogin and not rolsuper and rolname <> current_user
        and exists (select from invited where everyone)
        and not exists (select from invited where not everyone and pg_has_role(pg_roles.oid, role, 'usage'))
        group by datname`.execute(database.queries);
      return rows[0];
    },

    async objectCreation() {
      const { rows } = await sql<Found<'objectCreation'> & { foreignOwner: string | null }>`
        with this as (
          select * from pg_database, pg_namespace where datname = current_database() and nspname = current_schema()
        ), creators as (
          select nspowner as role from this
          union select grantee from this, aclexplode(coalesce(datacl, acldefault('d', datdba)))
            where privilege_type = 'CREATE'
          union select grantee from this, aclexplode(coalesce(nspacl, acldefault('n', nspowner)))
            where privilege_type = 'CREATE'
        )
        select quote_ident(datname) as database, quote_ident(nspname) as schema,
          quote_ident(current_user) as "ownRole", ${NAMES} as "otherRoles",
          (select quote_ident(rolname) from pg_roles where oid = nspowner and oid <> datdba and not rolsuper
            and rolname not in (current_user, 'pg_database_owner')) as "foreignOwner"
        from this, pg_roles
        where ${onPrimary} and rolcanlogin and not rolsuper and rolname <> current_user
        and not pg_has_role(pg_roles.oid, datdba, 'member')
        -- A member without INHERIT has the right after SET ROLE.
        and exists (select from creators where role = 0 or pg_has_role(pg_roles.oid, role, 'member'))
        group by datname, nspname, nspowner, datdba`.execute(database.queries);
      if (rows[0] === undefined) return undefined;
      const { foreignOwner, ...found } = rows[0];
      return foreignOwner === null ? found : { ...found, foreignOwner };
    },

    async unexpectedObjects() {
      const { rows } = await sql<Found<'unexpectedObjects'>>`
        select schema, array_agg(object order by object) as objects from (
          select quote_ident(nspname) as schema, type || ' ' || identity as object
          from pg_namespace
          join pg_depend as part on part.refclassid = 'pg_namespace'::regclass and part.refobjid = pg_namespace.oid
            and part.deptype = 'n'
          join pg_database on datname = current_database()
          left join pg_shdepend as owning on owning.dbid = pg_database.oid and owning.deptype = 'o'
            and (owning.classid, owning.objid) = (part.classid, part.objid)
          -- The first superuser, who owns without an entry in pg_shdepend, has 10.
          join pg_roles as owner on owner.oid = coalesce(owning.refobjid, 10)
          cross join pg_identify_object(part.classid, part.objid, 0)
          where ${onPrimary} and nspname = current_schema() and not owner.rolsuper
          and (owner.rolname <> current_user and not pg_has_role(owner.oid, datdba, 'member')
            -- Also of ours, as after a restore without owners: our migrations create no functions but triggers'.
            or part.classid not in ('pg_class'::regclass, 'pg_extension'::regclass)
            and not exists (select from pg_proc where part.classid = 'pg_proc'::regclass and oid = part.objid
              and prorettype = 'trigger'::regtype)
            and not exists (select from pg_depend as member
              where (member.classid, member.objid) = (part.classid, part.objid) and member.deptype = 'e'))
          order by object limit ${MAX_OBJECTS}
        ) as found group by schema`.execute(database.queries);
      return rows[0];
    },
  };
}
