import type { Change } from '@gatehouse/domain/changes';
import { notifyChanges } from '@gatehouse/extension-kit/postgres';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openFeed } from '../../testing/open-feed.ts';
import { aTestDatabase } from '../../testing/open-test-store.ts';
import { migrateExtension } from './extension-migrations.ts';

const TABLE = 'press_shops.press_shops';

const PRESS_SHOPS = {
  name: 'press-shops',
  migrations: {
    '0001-init': {
      async up(db: Parameters<typeof notifyChanges>[0]) {
        await sql`create table press_shops.press_shops (id bigint primary key, name text)`.execute(db);
        await notifyChanges(db, TABLE);
      },
    },
  },
};

test('every change of rows that an extension remembers is heard, and those of others are not', async () => {
  const { url, database } = await aTestDatabase();
  await migrateExtension(database, PRESS_SHOPS);
  const { feed, hear, told } = await openFeed({ listenUrl: url, database });
  const toldBy = async (statement: string): Promise<readonly Change[]> => {
    await hear();
    told.length = 0;
    await sql.raw(statement).execute(database.queries);
    await hear();
    return [...told];
  };
  const row = (id: number) => ({ kind: 'row', table: TABLE, id });
  const rows = [{ kind: 'rows', table: TABLE }];
  try {
    expect(await toldBy(`insert into ${TABLE} values (1, 'a'), (2, 'b')`)).toEqual([row(1), row(2)]);
    expect(await toldBy(`update ${TABLE} set name = 'c' where id = 2`)).toEqual([row(2)]);
    expect(await toldBy(`update ${TABLE} set id = 3 where id = 2`)).toEqual(
      expect.arrayContaining([row(2), row(3)]),
    );
    expect(await toldBy(`delete from ${TABLE} where id = 1`)).toEqual([row(1)]);
    expect(await toldBy(`delete from ${TABLE} where id = 1`)).toEqual([]);
    expect(await toldBy(`insert into ${TABLE} select n, 'n' from generate_series(10, 110) as n`)).toEqual(
      rows,
    );
    expect(await toldBy(`truncate ${TABLE}`)).toEqual(rows);
  } finally {
    await feed.close();
  }
});
