import { aCredential, givenService, START } from '@gatehouse/domain/testing';
import { formatInstant } from '@gatehouse/domain/time';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { aTestDatabase } from '../../testing/open-test-store.ts';

test('the last uses of credentials are found, in milliseconds, and of no others', async () => {
  const { database, store } = await aTestDatabase();
  const { credentials } = await givenService(store, {
    credentials: [aCredential(), aCredential(), aCredential()],
  });
  const [used, other, unused] = credentials;
  for (const [{ id }, at] of [
    [used, START + 1],
    [other, START + 2],
  ] as const) {
    await sql`
      insert into service_credential_usage values (${id}, ${formatInstant(at as typeof START)})`.execute(
      database.queries,
    );
  }
  const uses = await store.services.findCredentialUses([used.id, unused.id]);
  expect(uses).toEqual(new Map([[used.id, START + 1]]));
});
