import { expect, test } from 'vitest';
import { aTestDatabase, connectClient, openAnother } from '../../testing/open-test-store.ts';
import * as migrations from '../migrations/index.ts';
import { applicationName, EDITION } from './application-name.ts';
import { createPostgresEditions } from './editions.ts';

test('the edition is the number of the newest migration', () => {
  const newest = Object.keys(migrations).sort().at(-1);
  expect(Number(newest?.slice(0, 4))).toBe(EDITION);
});

test.each([
  ['gatehouse', true],
  ['gatehouse change feed', true],
  [`gatehouse ${EDITION - 1}`, true],
  [`gatehouse change feed ${EDITION - 1}`, true],
  [applicationName(), false],
  [applicationName('gatehouse usage feed'), false],
  [`gatehouse ${EDITION + 1}`, false],
  ['gatehouse membership', false],
  ['gatehouse address probe', false],
  ['gatehousekeeper', false],
  ['psql', false],
])('a connection named %s is of an older edition: %s', async (application, isOlder) => {
  const { url, store } = await aTestDatabase();
  const client = await connectClient(url, { application_name: application });
  const found = isOlder ? [{ application, connections: 1 }] : [];
  expect(await store.editions.findOlder()).toEqual(found);
  await client.query('select');
  expect(await store.editions.findOlder()).toEqual(found);
});

test('programs whose URL names their connections hide their edition, so each counts as older', async () => {
  const { url } = await aTestDatabase();
  const named = new URL(url);
  named.searchParams.set('application_name', 'shop');
  const editions = createPostgresEditions(openAnother({ url: named.href, poolSize: 1 }));
  expect(await editions.findOlder()).toEqual([{ application: 'shop', connections: 1 }]);
});
