import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { APP_ROLE, type Cluster, type ClusterPaths, DATABASE, SUPERUSER } from './cluster.ts';
import { readIfThere, writePrivately } from './files.ts';
import { openSingleUser } from './single-user.ts';

const ACCESS = `# Written by Gatehouse. Its programs log in as one role, over the socket. No other role can log in.
local  all  ${APP_ROLE}  scram-sha-256
`;

/** Returns whether Gatehouse's role exists in the cluster and its password is known. */
export async function isSetUp(paths: ClusterPaths): Promise<boolean> {
  return ((await readIfThere(paths.password)) ?? '') !== '';
}

/**
 * Sets up the cluster: creates a role that has a password and is no superuser, and makes it the owner of the database
 * and of the objects that older versions of Gatehouse created as superuser. The set-up can be repeated. It also
 * converts a cluster of an older version, replaces a lost password file, and finishes an interrupted set-up. No server
 * may be running.
 */
export async function setUp(cluster: Cluster): Promise<'set up' | 'occupied'> {
  const { paths, account } = cluster;
  await using session = await openSingleUser(cluster);
  if (session === undefined) return 'occupied';
  // Another process has set up the cluster before this process got access to it.
  if (await isSetUp(paths)) return 'set up';
  const password = randomBytes(24).toString('base64url');
  await writePrivately(join(paths.data, 'pg_hba.conf'), ACCESS, account);
  for (const statement of statements(password)) await session.run(statement);
  await rm(paths.older.password, { force: true });
  await rm(paths.older.port, { force: true });
  await writePrivately(paths.password, password, account);
  return 'set up';
}

const RIGHTS = 'LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS';

function statements(password: string): readonly string[] {
  return [
    `DO $$ BEGIN
       IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${APP_ROLE}') THEN CREATE ROLE ${APP_ROLE}; END IF;
     END $$`,
    `ALTER ROLE ${APP_ROLE} ${RIGHTS} PASSWORD '${password}'`,
    `ALTER ROLE ${SUPERUSER} PASSWORD NULL`,
    `ALTER DATABASE ${DATABASE} OWNER TO ${APP_ROLE}`,
    HAND_OVER,
  ];
}

/**
 * Makes Gatehouse's role the owner of each object of the superuser, one by one, because REASSIGN OWNED cannot be used
 * for the role that owns the system catalogs. Objects that follow another object are left out: identity sequences, the
 * types of tables, the objects of an extension.
 */
const HAND_OVER = `
  DO $$ DECLARE change text; BEGIN
    FOR change IN
      WITH parts AS (
        SELECT classid, objid FROM pg_depend WHERE deptype IN ('e', 'i')
        UNION ALL SELECT classid, objid FROM pg_depend
          WHERE deptype = 'a' AND classid = 'pg_class'::regclass
            AND (SELECT relkind FROM pg_class WHERE oid = objid) = 'S'
      ), made (class, object, owner, name) AS (
        SELECT 'pg_namespace'::regclass, oid, nspowner, 'SCHEMA ' || quote_ident(nspname)
          FROM pg_namespace WHERE nspname NOT LIKE 'pg\\_%'
        UNION ALL SELECT 'pg_class'::regclass, oid, relowner,
          CASE relkind WHEN 'S' THEN 'SEQUENCE ' WHEN 'v' THEN 'VIEW ' WHEN 'm' THEN 'MATERIALIZED VIEW '
            ELSE 'TABLE ' END || oid::regclass
          FROM pg_class WHERE relkind IN ('r', 'p', 'v', 'm', 'S') AND relpersistence <> 't'
        UNION ALL SELECT 'pg_proc'::regclass, oid, proowner, 'ROUTINE ' || oid::regprocedure
          FROM pg_proc
        UNION ALL SELECT 'pg_type'::regclass, oid, typowner, 'TYPE ' || oid::regtype
          FROM pg_type WHERE typtype IN ('e', 'd', 'r') OR typtype = 'c'
            AND (SELECT relkind FROM pg_class WHERE pg_class.oid = typrelid) = 'c'
      )
      SELECT format('ALTER %s OWNER TO ${APP_ROLE}', name) FROM made
      WHERE object >= 16384 AND owner = '${SUPERUSER}'::regrole
        AND NOT EXISTS (SELECT FROM parts WHERE classid = class AND objid = object)
    LOOP
      EXECUTE change;
    END LOOP;
  END $$`;
