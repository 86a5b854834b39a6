import { type ClusterTemplate, makeClusterTemplate } from '@gatehouse/embedded-postgres/testing';
import type {} from '@gatehouse/embedded-postgres/testing/fill-data-folder';
import type {} from '@gatehouse/test-database';
import type { TestProject } from 'vitest/node';
import { startTestPostgres, type TestPostgres } from './start-test-postgres.ts';

/** Each project of a run loads this module again, so shared state has to be global. */
const shared: typeof globalThis & {
  gatehouseTestPostgres?: {
    server: Promise<TestPostgres>;
    template: Promise<ClusterTemplate | undefined>;
    users: number;
  };
} = globalThis;

/**
 * For the `globalSetup` of packages whose tests need a database (`createTestDatabase`) or data folders
 * (`fillDataFolder`). All such projects of a run share one server and one template of data folders, and the last of
 * them removes both. A run without such a project starts none.
 */
export async function setup(project: Pick<TestProject, 'provide'>): Promise<() => Promise<void>> {
  shared.gatehouseTestPostgres ??= {
    server: announced(startTestPostgres()),
    // If there is no embedded PostgreSQL, its own tests say why.
    template: makeClusterTemplate().catch(() => undefined),
    users: 0,
  };
  const entry = shared.gatehouseTestPostgres;
  const [server, template] = await Promise.all([entry.server, entry.template]);
  entry.users += 1;
  project.provide('testDatabaseUrl', server.url);
  project.provide('testDatabaseOutlivesRun', server.outlivesRun ?? false);
  project.provide('clusterTemplate', template?.path);
  return async () => {
    entry.users -= 1;
    if (entry.users > 0) return;
    delete shared.gatehouseTestPostgres;
    await Promise.all([server.stop(), template?.remove()]);
  };
}

async function announced(starting: Promise<TestPostgres>): Promise<TestPostgres> {
  const server = await starting;
  console.log(`PostgreSQL for the tests: ${server.origin}`);
  return server;
}
