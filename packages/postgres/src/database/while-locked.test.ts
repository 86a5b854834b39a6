import { createTestDatabase } from '@gatehouse/test-database';
import { expect, it } from 'vitest';
import { openDatabase } from './database.ts';
import { whileLocked } from './while-locked.ts';

it('lets one at a time do its work, whichever pool it comes from', async () => {
  await using server = await createTestDatabase();
  const databases = Array.from({ length: 3 }, () => openDatabase({ url: server.url, poolSize: 1 }));
  let working = 0;
  let most = 0;
  const work = async () => {
    working += 1;
    most = Math.max(most, working);
    await databases[0]?.queries.selectNoFrom((from) => from.val(1).as('one')).execute();
    working -= 1;
  };
  await Promise.all(databases.flatMap((database) => [1, 2].map(() => whileLocked(database, 42, work))));
  await Promise.all(databases.map((database) => database.close()));
  expect(most).toBe(1);
});
