import type {} from '@gatehouse/test-database';
import type { TestProject } from 'vitest/node';
import { startTestPostgres } from './start-test-postgres.ts';
import type { TestPostgres } from './test-postgres.ts';

/** Each project of a run loads this module again: what they share has to be global. */
const shared: typeof globalThis & {
  gatehouseTestPostgres?: { server: Promise<TestPostgres>; users: number };
} = globalThis;

/**
 * For the `globalSetup` of packages whose tests need a database (`createTestDatabase`). All that take part in one
 * run share one server, which the last of them stops; a run without any of them starts none.
 */
export async function setup(project: Pick<TestProject, 'provide'>): Promise<() => Promise<void>> {
  shared.gatehouseTestPostgres ??= { server: announced(startTestPostgres()), users: 0 };
  const entry = shared.gatehouseTestPostgres;
  const server = await entry.server;
  entry.users += 1;
  project.provide('testDatabaseUrl', server.url);
  return async () => {
    entry.users -= 1;
    if (entry.users > 0) return;
    delete shared.gatehouseTestPostgres;
    await server.stop();
  };
}

async function announced(starting: Promise<TestPostgres>): Promise<TestPostgres> {
  const server = await starting;
  console.log(`PostgreSQL for the tests: ${server.origin}`);
  return server;
}
