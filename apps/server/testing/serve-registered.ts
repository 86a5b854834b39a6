import type { OrganizationId } from '@gatehouse/domain/organizations';
import { openExtensionStore } from '@gatehouse/installation';
import { createPostgresRepositories, openDatabase } from '@gatehouse/postgres';
import type { ExampleFacts } from './examples.ts';
import { REGISTERED } from './registered.ts';
import { REGISTERED_SCHEMA } from './registered-database.ts';
import { demoFacts, servePostgres } from './serve-postgres.ts';

export type ServedRegistered = Awaited<ReturnType<typeof serveRegistered>>;

/** `servePostgres` with the extensions of tests, and what the examples of all routes refer to. */
export async function serveRegistered(environment: Record<string, string> = {}) {
  const server = await servePostgres(environment, undefined, {
    schema: REGISTERED_SCHEMA,
    extensions: REGISTERED,
  });
  return { ...server, facts: await withExtensions(server.testDatabase.url, demoFacts(server.demo)) };
}

/** Creates what the examples of the extensions refer to, and adds them to the facts. */
export async function withExtensions(
  url: string,
  facts: ExampleFacts,
  text = 'Press 4 leaks',
): Promise<ExampleFacts> {
  const database = openDatabase({ url, poolSize: 1 });
  try {
    const { organizations } = createPostgresRepositories(database);
    const find = async (id: number) => {
      const found = await organizations.findById(id as OrganizationId);
      return found ?? Promise.reject(new Error(`there is no organization ${id}`));
    };
    const [shared, closed, foreign] = [
      await find(facts.shared),
      await find(facts.closed),
      await find(facts.foreign),
    ];
    const extensions = await Promise.all(
      REGISTERED.map(async (extension) => {
        const [http, testing] = await Promise.all([extension.http?.(), extension.testing()]);
        const store = await openExtensionStore(extension, database);
        return {
          routes: http?.routes ?? [],
          examples: await testing.examples({ store, text, shared, closed, foreign }),
        };
      }),
    );
    return { ...facts, extensions };
  } finally {
    await database.close();
  }
}
