import { EXTENSIONS } from '@gatehouse/extensions';
import { createMasterKey } from '@gatehouse/key-encryption';
import { createTestDatabase, type TestSchema } from '@gatehouse/test-database';
import { createDemo } from '../src/start/demo-data.ts';
import type { Demo as DemoFacts } from '../src/start/demo-file.ts';
import type { ExampleFacts } from './examples.ts';
import { SCHEMA } from './migrate.ts';
import { type NodeOptions, serveNode } from './serve-node.ts';

export type ServedPostgres = Awaited<ReturnType<typeof servePostgres>>;

/** Returns the demo data that the examples of routes refer to. */
export function demoFacts({ organizations, other_account: other, admin }: DemoFacts): ExampleFacts {
  const [shared, closed] = organizations;
  if (!shared || !closed) throw new Error('the demo data has too few organizations');
  return { shared: shared.id, closed: closed.id, foreign: other.organization_id, email: admin.email };
}

export const OPERATOR = { kind: 'operator', name: 'tester', origin: 'test' } as const;

interface PostgresOptions extends Pick<NodeOptions, 'extensions'> {
  /** Default: the tables of Gatehouse alone. */
  readonly schema?: TestSchema;
}

/** Starts a server on its own database with the demo data. */
export async function servePostgres(
  environment: Record<string, string> = {},
  replace: NodeOptions['replace'] = () => undefined,
  { schema = SCHEMA, extensions = EXTENSIONS }: PostgresOptions = {},
) {
  const masterKey = createMasterKey();
  const testDatabase = await createTestDatabase(schema);
  const node = await serveNode({
    databaseUrl: testDatabase.url,
    masterKey,
    environment,
    replace,
    extensions,
  });
  const { useCases } = node.container.services;
  await useCases.ensureKeys(OPERATOR);
  const demo = await createDemo(useCases, { operator: OPERATOR, format: 'paseto', baseUrl: '' });
  if (!demo) throw new Error('the database was not empty');
  return {
    ...node,
    demo,
    testDatabase,
    /** The master key, for other servers on the same database. */
    masterKey,
    async [Symbol.asyncDispose]() {
      await node[Symbol.asyncDispose]();
      await testDatabase.drop();
    },
  };
}
