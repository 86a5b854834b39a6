import type { Extension } from '@gatehouse/extension-kit';
import { EXTENSIONS } from '@gatehouse/extensions';
import { createMasterKey, parseMasterKey } from '@gatehouse/key-encryption';
import { type Database, openDatabase } from '@gatehouse/postgres';
import { createTestDatabase } from '@gatehouse/test-database';
import { composeServer, type ServerContainer } from '../src/container.ts';
import { parseSettings } from '../src/settings/settings.ts';
import { createDemo } from '../src/start/demo-data.ts';
import { loadServedExtensions } from '../src/start/load-extension.ts';
import { CONNECT_WITHIN_MS, openReadinessDatabase, READ_WITHIN_MS } from '../src/start/open-store.ts';
import { listen } from './listen.ts';
import { recordLog } from './log.ts';
import { SCHEMA } from './migrate.ts';
import { REGISTERED } from './registered.ts';
import { REGISTERED_SCHEMA } from './registered-database.ts';

export interface PostgresOptions {
  /** Settings, as environment variables. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Default: those of the installation. */
  readonly extensions?: readonly Extension[];
  /** How many times as long as in an installation its requests wait for the database. Default: 1. */
  readonly patience?: number;
  /** Replaces parts. */
  readonly replace?: ((parts: ReplaceableParts) => void) | undefined;
}

export interface ReplaceableParts {
  readonly container: ServerContainer;
  readonly database: Database;
  readonly listenUrl: string;
}

/** A migrated database. */
interface MigratedDatabase {
  readonly url: string;
  /** The URL for the change feed, if it differs from the pool's. */
  readonly listenUrl?: string;
  readonly masterKey: string;
}

export type PostgresServer = Awaited<ReturnType<typeof startOnPostgres>>;

/** Starts a server as `run.ts` composes it. */
export async function startOnPostgres(on: MigratedDatabase, options: PostgresOptions = {}) {
  const { url, listenUrl = url } = on;
  const { settings: environment = {}, extensions = EXTENSIONS, patience = 1, replace } = options;
  const settings = parseSettings(environment);
  const masterKey = parseMasterKey(on.masterKey);
  if (!settings.ok || !masterKey.ok) throw new Error('wrong settings');
  const opened = openDatabase({
    url,
    poolSize: 4,
    connectTimeoutMs: patience * CONNECT_WITHIN_MS,
    readWithinMs: patience * READ_WITHIN_MS,
  });
  const readinessDatabase = openReadinessDatabase(url, opened);
  const { database, statements } = countStatements(opened);
  const recorded = recordLog();
  const container = composeServer({
    settings: settings.value,
    database,
    readinessDatabase,
    address: { url, file: undefined },
    listenAddress: { url: listenUrl, file: undefined },
    isEmbedded: false,
    extensions: await loadServedExtensions(extensions),
    lifecycle: { stage: 'serving' },
    log: recorded.log,
    masterKey: { masterKey: masterKey.value, file: undefined },
  });
  replace?.({ container, database, listenUrl });
  const { feed, usage, app, opsApp } = container.services;
  await feed.start();
  const [server, opsServer] = await Promise.all([listen(app), listen(opsApp)]);
  return {
    ...recorded,
    url: server.url,
    opsUrl: opsServer.url,
    container,
    /** For further servers on it. */
    database: on,
    /** Returns the number of completed statements. */
    statements,
    async [Symbol.asyncDispose]() {
      await Promise.all([server, opsServer].map((each) => each[Symbol.asyncDispose]()));
      await usage.flush().catch(() => undefined);
      await feed.close();
      await Promise.all([opened.close(), readinessDatabase.close()]);
    },
  };
}

export type DemoServer = Awaited<ReturnType<typeof startWithDemo>>;

export const OPERATOR = { kind: 'operator', name: 'tester', origin: 'test' } as const;

/** Starts a server on its own database with the demo data. */
export async function startWithDemo(options: PostgresOptions = {}) {
  const schema = options.extensions === REGISTERED ? REGISTERED_SCHEMA : SCHEMA;
  const { url, drop } = await createTestDatabase(schema);
  const database = { url, masterKey: createMasterKey(), drop };
  const server = await startOnPostgres(database, options);
  const { useCases } = server.container.services;
  await useCases.ensureKeys(OPERATOR);
  const demo = await createDemo(useCases, { operator: OPERATOR, format: 'paseto', baseUrl: '' });
  return {
    ...server,
    demo,
    database,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await drop();
    },
  };
}

/** The beginning of the statements that store usage, which belong to no request. */
const STORES_USAGE = /^\s*with stored as/;

/** Counts all statements except for those that store usage. */
function countStatements(database: Database) {
  let count = 0;
  const ofUsage = new WeakSet<object>();
  const counting: Parameters<Database['queries']['withPlugin']>[0] = {
    transformQuery({ node, queryId }) {
      if (node.kind === 'RawNode' && STORES_USAGE.test(node.sqlFragments[0] ?? '')) ofUsage.add(queryId);
      return node;
    },
    // Once for each statement; a query is transformed once for each part that is made by these queries.
    async transformResult({ result, queryId }) {
      if (!ofUsage.has(queryId)) count += 1;
      return result;
    },
  };
  const counted: Database = {
    ...database,
    queries: database.queries.withPlugin(counting),
    openShare: (connections, gate) => database.openShare(connections, gate).withPlugin(counting),
  };
  return { database: counted, statements: () => count };
}
