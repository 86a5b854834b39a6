import type { OrganizationId } from '@gatehouse/domain/organizations';
import { openExtensionStore } from '@gatehouse/installation/testing';
import { createPostgresRepositories, openDatabase } from '@gatehouse/postgres';
import type { ExampleFacts } from './examples.ts';
import type { MemoryServer } from './memory-server.ts';
import type { DemoServer } from './postgres-server.ts';
import { REGISTERED } from './registered.ts';
import { startTestServer } from './start-test-server.ts';

/** Returns the data of a server in memory that the examples of all routes refer to. */
export async function factsOf({
  examples,
  orders,
  people: { admin, shared, closed, foreign },
}: Pick<MemoryServer, 'examples' | 'orders' | 'people'>): Promise<ExampleFacts> {
  const extensions = await Promise.all(
    examples.map(async (each) => ({
      routes: each.routes,
      examples: await each.examples({ shared, closed, foreign }),
    })),
  );
  const { secret: token } = (await orders()).token;
  return { shared: shared.id, closed: closed.id, foreign: foreign.id, email: admin.email, token, extensions };
}

export type ServedRegistered = Awaited<ReturnType<typeof serveRegistered>>;

/** Starts a server on PostgreSQL with the extensions of tests, and with what the examples of all routes refer to. */
export const serveRegistered = (settings: Readonly<Record<string, string>> = {}) =>
  startTestServer({
    database: 'postgres',
    extensions: REGISTERED,
    settings,
    given: async ({ database, demo }) => ({ facts: await withExtensions(database.url, demoFacts(demo)) }),
  });

/** Returns the demo data that the examples of routes refer to. */
function demoFacts({ organizations, other_account: other, admin }: DemoServer['demo']): ExampleFacts {
  const [shared, closed] = organizations;
  if (!shared || !closed) throw new Error('the demo data has too few organizations');
  return {
    shared: shared.id,
    closed: closed.id,
    foreign: other.organization_id,
    email: admin.email,
    token: 'none',
  };
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
