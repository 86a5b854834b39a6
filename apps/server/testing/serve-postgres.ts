import { createMasterKey, parseMasterKey } from '@gatehouse/key-encryption';
import { type Database, migrateToLatest, openDatabase } from '@gatehouse/postgres';
import { createTestDatabase, type TestDatabase } from '@gatehouse/test-database';
import { App, ChangeFeed, composeServer, Demo, EnsureKeys, OpsApp } from '../src/container.ts';
import { createHttpServer } from '../src/http/http-server.ts';
import { parseSettings } from '../src/settings/settings.ts';
import { createDemo } from '../src/start/demo-data.ts';
import type { Demo as DemoFacts } from '../src/start/demo-file.ts';
import { type RecordedLog, recordLog } from './log.ts';

export interface ServedPostgres extends AsyncDisposable, RecordedLog {
  readonly url: string;
  readonly opsUrl: string;
  readonly demo: DemoFacts;
  readonly testDatabase: TestDatabase;
  /** The statements that the server has sent so far. */
  readonly statements: () => number;
}

const OPERATOR = { kind: 'operator', name: 'tester', origin: 'test' } as const;

/** The server as `main.ts` composes it, on a real database with the demo data. */
export async function servePostgres(environment: Record<string, string> = {}): Promise<ServedPostgres> {
  const testDatabase = await createTestDatabase();
  const settings = parseSettings(environment);
  const masterKey = parseMasterKey(createMasterKey());
  if (!settings.ok || !masterKey.ok) throw new Error('wrong settings');
  const opened = openDatabase({ url: testDatabase.url, poolSize: 4 });
  await migrateToLatest(opened);
  const counted = countStatements(opened);
  const recorded = recordLog();
  const { resolve } = composeServer({
    settings: settings.value,
    database: counted.database,
    listenUrl: testDatabase.url,
    lifecycle: { stage: 'serving' },
    log: recorded.log,
    masterKey: masterKey.value,
  });
  const feed = resolve(ChangeFeed);
  await feed.start();
  await resolve(EnsureKeys)(OPERATOR);
  const demo = await createDemo(resolve(Demo), { operator: OPERATOR, format: 'paseto', baseUrl: '' });
  if (!demo) throw new Error('the database was not empty');

  const [server, opsServer] = [App, OpsApp].map((app) =>
    createHttpServer(resolve(app), { host: '127.0.0.1', port: 0 }),
  ) as [ReturnType<typeof createHttpServer>, ReturnType<typeof createHttpServer>];
  await Promise.all([server.listen(), opsServer.listen()]);
  return {
    ...recorded,
    url: server.url,
    opsUrl: opsServer.url,
    demo,
    testDatabase,
    statements: counted.statements,
    async [Symbol.asyncDispose]() {
      for (const { node } of [server, opsServer]) {
        node.closeAllConnections();
        node.close();
      }
      await feed.close();
      await opened.close();
      await testDatabase.drop();
    },
  };
}

function countStatements(database: Database) {
  let count = 0;
  const queries = database.queries.withPlugin({
    transformQuery({ node }) {
      count += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  return { database: { ...database, queries }, statements: () => count };
}
