import { definePostgresLayer, type ExtensionDatabase, sql } from '@gatehouse/extension-kit/postgres';
import { expect, test } from 'vitest';
import { openTestInstallation } from './test-installation.ts';

const layer = definePostgresLayer({
  migrations: {
    '0001-init': {
      async up(db) {
        await sql`create table gauges.gauges (value int not null)`.execute(db);
      },
    },
  },
  belongings: [],
  createStore: ({ change }: ExtensionDatabase<unknown>) => ({
    add: (values: number) =>
      change(async (tx) => {
        await sql`insert into gauges.gauges select * from generate_series(1, ${values}::int)`.execute(tx);
      }),
    count: () =>
      change(async (tx) => {
        const { rows } = await sql<{ count: number }>`
          select count(*)::int as count from gauges.gauges`.execute(tx);
        return rows[0]?.count;
      }),
  }),
});

test('a change of rows without an audit event is refused, and is not made', async () => {
  const { store, close } = await openTestInstallation({
    name: 'gauges',
    rules: [],
    domain: async () => ({ createUseCases: () => undefined }),
    postgres: async () => layer,
    testing: () => Promise.reject(new Error('unused')),
  });
  await expect(store.add(3)).rejects.toThrow('a change of gauges records no audit event: call `record`');
  expect(await store.count()).toBe(0);
  await store.add(0);
  await close();
});
