import { aCredential, aTokenId } from '@gatehouse/domain/testing';
import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openFeed } from '../../testing/open-feed.ts';
import { aTestDatabase } from '../../testing/open-test-store.ts';
import { DatabaseFault } from '../database/faults.ts';
import type { createPostgresRepositories } from '../repositories.ts';

const ask = ({ introspection }: ReturnType<typeof createPostgresRepositories>) =>
  introspection.find(aCredential().hash, aTokenId());

test('an introspection names the database server as the change feed does', async () => {
  const { url, database, store } = await aTestDatabase();
  const { feed } = await openFeed({ listenUrl: url, database });
  onTestFinished(() => feed.close());
  const named = feed.heardUpTo()?.database;
  expect(named).toMatch(/^\d+\.\d+\.\d+\.\d+$/);
  expect((await ask(store)).database).toBe(named);
});

test('a role that may not identify the server still introspects, and names none', async () => {
  const { database, store } = await aTestDatabase();
  let refusals = 0;
  const execute = database.queries.executeQuery.bind(database.queries);
  vi.spyOn(database.queries, 'executeQuery').mockImplementation(async (query) => {
    if (!('sql' in query && query.sql.includes('pg_control_system'))) return (await execute(query)) as never;
    refusals += 1;
    const refusal = new pg.DatabaseError('permission denied', 0, 'error');
    refusal.code = '42501';
    throw new DatabaseFault(refusal);
  });
  const nothing = { service: undefined, tokens: [], database: undefined };
  for (let turn = 0; turn < 3; turn += 1) expect(await ask(store)).toEqual(nothing);
  expect(refusals).toBe(1);
});
