import {
  aCredential,
  aTokenId,
  givenAdmin,
  givenService,
  givenToken,
  START,
} from '@gatehouse/domain/testing';
import { addMilliseconds } from '@gatehouse/domain/time';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { aTestDatabase } from '../../testing/open-test-store.ts';
import { createPaces } from '../../testing/paces.ts';
import { createServiceUsage } from './service-usage.ts';
import { createPostgresUsageRecorder } from './usage-recorder.ts';

const at = (seconds: number) => addMilliseconds(START, 1000 * seconds);

test('if only uses at services cannot be stored, they are stored later, without a new use', async () => {
  const { database, store } = await aTestDatabase();
  const id = aTokenId();
  await givenToken(store, await givenAdmin(store), { id });
  const { name } = await givenService(store);
  const { pause, next } = createPaces();
  const kinds: string[] = [];
  const storedAgain = Promise.withResolvers<void>();
  const report = ({ kind }: { readonly kind: string }) => {
    kinds.push(kind);
    if (kind === 'usage_stored') storedAgain.resolve();
  };
  const recorder = createPostgresUsageRecorder(database, { report, pause });
  await sql`alter table token_service_uses rename to away`.execute(database.queries);
  recorder.used(id, START, undefined, { name });
  // Resolves when the next interval has begun, so the recorder tries again.
  await next();
  await sql`alter table away rename to token_service_uses`.execute(database.queries);
  void next();
  await storedAgain.promise;
  expect((await store.tokens.findUsage(id)).usedAt).toMatchObject([{ service: name, lastAt: START }]);
  expect(kinds).toEqual(['usage_delayed', 'usage_stored']);
});

test('a use of a credential is stored at most once a minute', async () => {
  const { database, store } = await aTestDatabase();
  const credential = aCredential();
  await givenService(store, { credentials: [credential] });
  const usage = createServiceUsage(database.queries);
  const isStored = [0, 1, 59, 60, 61, 120].map((seconds) => usage.usedCredential(credential.id, at(seconds)));
  expect(isStored).toEqual([true, false, false, true, false, true]);
  expect([await usage.store(), await usage.store()]).toEqual([true, false]);
  const uses = await store.services.findCredentialUses([credential.id]);
  expect(uses.get(credential.id)).toBe(at(120));
});

test('tokens used at the same time are sorted by the names of the services', async () => {
  const { database, store } = await aTestDatabase();
  const { id } = await givenToken(store, await givenAdmin(store));
  const names = [(await givenService(store)).name, (await givenService(store)).name];
  const recorder = createPostgresUsageRecorder(database, {
    report: () => {},
    pause: () => new Promise(() => {}),
  });
  for (const name of names.toReversed()) recorder.used(id, START, undefined, { name });
  await recorder.flush();
  const { usedAt } = await store.tokens.findUsage(id);
  expect(usedAt.map(({ service }) => service)).toEqual(names.toSorted());
});
