import { expect, it } from 'vitest';
import { startTestPostgres } from './start-test-postgres.ts';

it('prefers the server that TEST_DATABASE_URL names', async () => {
  const server = await startTestPostgres({ TEST_DATABASE_URL: 'postgres://there' });
  expect(server).toMatchObject({ url: 'postgres://there', origin: 'TEST_DATABASE_URL' });
});

it('does not quietly take another server when an image was asked for that cannot be had', async () => {
  await expect(startTestPostgres({ TEST_POSTGRES_IMAGE: 'gatehouse.invalid/none' })).rejects.toThrow();
});
