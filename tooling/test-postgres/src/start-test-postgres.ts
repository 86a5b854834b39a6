import { startContainer } from './container.ts';
import { startEmbedded } from './embedded.ts';
import type { TestPostgres } from './test-postgres.ts';

/**
 * `TEST_DATABASE_URL` if set, else a container where a Docker engine answers, else the embedded PostgreSQL in a
 * temporary folder. A container that does not come up is passed over too (there may be an engine, but no way to
 * fetch images), unless `TEST_POSTGRES_IMAGE` asks for it by name.
 */
export async function startTestPostgres(environment: NodeJS.ProcessEnv = process.env): Promise<TestPostgres> {
  const { TEST_DATABASE_URL: url, TEST_POSTGRES_IMAGE: image } = environment;
  if (url) return { url, origin: 'TEST_DATABASE_URL', outlivesRun: true, stop: async () => undefined };
  try {
    const container = await startContainer(image || 'postgres:17-alpine');
    if (container !== undefined) return container;
  } catch (error) {
    if (image) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    const embedded = await startEmbedded();
    return {
      ...embedded,
      origin: `${embedded.origin}; the container did not start: ${reason.split('\n')[0]}`,
    };
  }
  if (image) throw new Error('TEST_POSTGRES_IMAGE is set, but no Docker engine answers');
  return startEmbedded();
}
