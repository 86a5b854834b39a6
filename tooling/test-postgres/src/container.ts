import type { TestPostgres } from './test-postgres.ts';
import { TEST_SETTINGS } from './test-postgres.ts';

/** Starts PostgreSQL in a container from `image`; returns `undefined` if there is no Docker engine. */
export async function startContainer(image: string): Promise<TestPostgres | undefined> {
  const { getContainerRuntimeClient } = await import('testcontainers');
  const engine = await getContainerRuntimeClient().catch(() => undefined);
  if (engine === undefined) return undefined;
  const { PostgreSqlContainer } = await import('@testcontainers/postgresql');
  const settings = Object.entries(TEST_SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const container = await new PostgreSqlContainer(image).withCommand(['postgres', ...settings]).start();
  return {
    url: container.getConnectionUri(),
    origin: `testcontainers, image ${image}`,
    stop: async () => {
      await container.stop();
    },
  };
}
