import { givenAccount, givenToken, givenUser } from '@gatehouse/domain/testing';
import { createPostgresRepositories, openDatabase } from '@gatehouse/postgres';
import { shiftNotes } from '@gatehouse/shift-notes';
import { expect, onTestFinished, test } from 'vitest';
import { aDatabase } from '../testing/a-database.ts';
import { migrateAll } from './migrate-all.ts';

test('when an extension is installed, live tokens with all scopes are counted, and only then', async () => {
  const { url, drop } = await aDatabase();
  const database = openDatabase({ url, poolSize: 2 });
  onTestFinished(async () => {
    await database.close();
    await drop();
  });
  expect(await migrateAll(database, [])).toMatchObject({ installed: [], unlimitedTokens: 0 });
  const store = createPostgresRepositories(database);
  const user = await givenUser(store, (await givenAccount(store)).id);
  await givenToken(store, user, { scopes: ['*'], expiresAt: null });
  await givenToken(store, user, { scopes: ['orgs:read'], expiresAt: null });
  expect(await migrateAll(database, [shiftNotes])).toMatchObject({
    applied: ['shift-notes 0001-init'],
    installed: ['shift-notes'],
    unlimitedTokens: 1,
  });
  expect(await migrateAll(database, [shiftNotes])).toMatchObject({ applied: [], unlimitedTokens: 0 });
});
