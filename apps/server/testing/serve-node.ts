import type { Extension } from '@gatehouse/extension-kit';
import { EXTENSIONS } from '@gatehouse/extensions';
import { parseMasterKey } from '@gatehouse/key-encryption';
import { type Database, openDatabase } from '@gatehouse/postgres';
import { composeServer, type ServerContainer } from '../src/container.ts';
import { parseSettings } from '../src/settings/settings.ts';
import { loadServedExtensions } from '../src/start/load-extension.ts';
import { CONNECT_WITHIN_MS, openReadinessDatabase, READ_WITHIN_MS } from '../src/start/open-store.ts';
import { recordLog } from './log.ts';
import { serveApp } from './serve-app.ts';

export interface NodeOptions {
  readonly databaseUrl: string;
  /** The database URL of the change feed, if it differs from the pool's. */
  readonly listenUrl?: string;
  readonly masterKey: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Default: those of the installation. */
  readonly extensions?: readonly Extension[];
  /** How often the time of an installation its requests wait for the database. Default: 1. */
  readonly patience?: number;
  /** Replaces parts. */
  readonly replace?: (parts: ReplaceableParts) => void;
}

export interface ReplaceableParts {
  readonly container: ServerContainer;
  readonly database: Database;
  readonly listenUrl: string;
}

/** One of several servers on a database. */
export type ServedNode = Awaited<ReturnType<typeof serveNode>>;

/** Starts a server as `run.ts` composes it, on a migrated database. */
export async function serveNode(options: NodeOptions) {
  const { databaseUrl, listenUrl = databaseUrl, environment = {}, patience = 1, replace } = options;
  const { extensions = EXTENSIONS } = options;
  const settings = parseSettings(environment);
  const masterKey = parseMasterKey(options.masterKey);
  if (!settings.ok || !masterKey.ok) throw new Error('wrong settings');
  const opened = openDatabase({
    url: databaseUrl,
    poolSize: 4,
    connectTimeoutMs: patience * CONNECT_WITHIN_MS,
    readWithinMs: patience * READ_WITHIN_MS,
  });
  const readinessDatabase = openReadinessDatabase(databaseUrl, opened);
  const { database, statements } = countStatements(opened);
  const recorded = recordLog();
  const container = composeServer({
    settings: settings.value,
    database,
    readinessDatabase,
    address: { url: databaseUrl },
    listenAddress: { url: listenUrl },
    isEmbedded: false,
    extensions: await loadServedExtensions(extensions),
    lifecycle: { stage: 'serving' },
    log: recorded.log,
    masterKey: { masterKey: masterKey.value, file: undefined },
  });
  replace?.({ container, database, listenUrl });
  const { feed, usage, app, opsApp } = container.services;
  await feed.start();
  const [server, opsServer] = await Promise.all([serveApp(app), serveApp(opsApp)]);
  return {
    ...recorded,
    url: server.url,
    opsUrl: opsServer.url,
    container,
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
