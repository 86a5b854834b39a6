import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** The URL of the server that `tooling/test-postgres` started for this run. */
    testDatabaseUrl: string;
  }
}

/** A private database. */
export interface TestDatabase extends AsyncDisposable {
  readonly url: string;
  /** Drops it, with its remaining connections. */
  drop(): Promise<void>;
}

/**
 * Creates an empty database on the server of this run. The package that calls it is listed under `WITH_POSTGRES` in the
 * root's `vitest.config.ts`.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = inject('testDatabaseUrl');
  if (server === undefined) {
    throw new Error(
      "No PostgreSQL was started: the package is missing under WITH_POSTGRES in the root's vitest.config.ts",
    );
  }
  const name = `gatehouse_test_${randomBytes(8).toString('hex')}`;
  // As in the documentation: roles of other tests on this server cannot connect.
  await execute(
    server,
    `CREATE DATABASE ${name}`,
    `REVOKE CONNECT, TEMPORARY ON DATABASE ${name} FROM PUBLIC`,
  );
  const url = new URL(server);
  url.pathname = name;
  const drop = () => execute(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  return { url: url.href, drop, [Symbol.asyncDispose]: drop };
}

async function execute(url: string, ...statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
