import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** The URL of the server that `tooling/test-postgres` started for this run. */
    testDatabaseUrl: string;
    /** Whether the server existed before the run, and stays after it. */
    testDatabaseOutlivesRun: boolean;
  }
}

/** A private database. */
export interface TestDatabase extends AsyncDisposable {
  readonly url: string;
  /** Drops it, with its remaining connections. */
  drop(): Promise<void>;
}

/** The contents of a new database. */
export interface TestSchema {
  /** One word; databases with the same name are copies of one. */
  readonly name: string;
  /** Creates the contents in the empty database at this URL. */
  readonly migrate: (url: string) => Promise<void>;
}

/**
 * Creates a database on the server of this run, empty or with a schema. Only the tests of packages that depend on this one
 * have a server.
 *
 * @param encoding as PostgreSQL names it. Default: UTF8, as the server has it
 */
export async function createTestDatabase(
  schema?: TestSchema,
  { encoding }: { readonly encoding?: string } = {},
): Promise<TestDatabase> {
  const server = inject('testDatabaseUrl');
  if (server === undefined) {
    throw new Error(
      'No PostgreSQL was started: the package.json of these tests does not name @gatehouse/test-database',
    );
  }
  const name = `gatehouse_test_${randomBytes(8).toString('hex')}`;
  const template = schema && encoding === undefined ? await findTemplate(server, schema) : undefined;
  const form =
    encoding === undefined
      ? template && `TEMPLATE ${template}`
      : `TEMPLATE template0 LOCALE 'C' ENCODING '${encoding}'`;
  // As in the documentation: roles of other tests on this server cannot connect.
  await execute(
    // This copies files instead of writing each page to the write-ahead log, which would take twice the time.
    `CREATE DATABASE ${name} STRATEGY file_copy ${form ?? ''}`,
    `REVOKE CONNECT, TEMPORARY ON DATABASE ${name} FROM PUBLIC`,
  );
  const url = urlOf(server, name);
  if (template === undefined) await schema?.migrate(url);
  const drop = () => execute(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  return { url, drop, [Symbol.asyncDispose]: drop };
}

const templates = new Map<string, Promise<string>>();

/**
 * The database from which those with a schema are copied, which takes a tenth of the time of migrating each. The first
 * process of a run that needs it makes it, and it goes with the server; a server that stays gets none.
 */
async function findTemplate(server: string, schema: TestSchema): Promise<string | undefined> {
  if (inject('testDatabaseOutlivesRun')) return undefined;
  const template = templates.get(schema.name) ?? makeOnce(server, schema);
  templates.set(schema.name, template);
  return template;
}

async function makeOnce(server: string, schema: TestSchema): Promise<string> {
  const name = `gatehouse_template_${schema.name}`;
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock(hashtext($1))', [name]);
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name]);
    if (rowCount === 1) return name;
    // It gets its name when it is complete.
    const draft = `${name}_draft`;
    await client.query(`DROP DATABASE IF EXISTS ${draft} WITH (FORCE)`);
    await client.query(`CREATE DATABASE ${draft}`);
    await schema.migrate(urlOf(server, draft));
    await client.query(`ALTER DATABASE ${draft} RENAME TO ${name}`);
    return name;
  } finally {
    await client.end();
  }
}

function urlOf(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = database;
  return url.href;
}

let administration: pg.Pool | undefined;

/**
 * Runs statements one after the other, on one connection for all databases of this process: opening one costs as much as
 * copying a database.
 */
async function execute(...statements: readonly string[]): Promise<void> {
  administration ??= connect(inject('testDatabaseUrl'));
  for (const statement of statements) await administration.query(statement);
}

function connect(connectionString: string): pg.Pool {
  const pool = new pg.Pool({ connectionString, max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true });
  // The next statement opens another connection.
  pool.on('error', () => undefined);
  return pool;
}
