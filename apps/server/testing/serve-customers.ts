import { TOKEN_FORMATS } from '@gatehouse/domain/tokens';
import { signInWith, tokenIn } from './client.ts';
import { done } from './done.ts';
import type { ExampleFacts } from './examples.ts';
import { execute } from './execute.ts';
import { REGISTERED } from './registered.ts';
import { serveNode } from './serve-node.ts';
import { OPERATOR, type ServedPostgres } from './serve-postgres.ts';
import { serveRegistered, withExtensions } from './serve-registered.ts';

/** A node may use cached data for this long after a change was acknowledged, in milliseconds. */
export const STALENESS = { timeout: 1000, interval: 5 };
/** The password of all users. */
export const PASSWORD = 'correct horse battery';

export type ServedCustomers = Awaited<ReturnType<typeof serveCustomers>>;

/** Starts three servers on one database, with as many customers as a test needs. */
export async function serveCustomers() {
  const resources = new AsyncDisposableStack();
  const server = resources.use(await serveRegistered());
  const { masterKey, testDatabase } = server;
  const options = { databaseUrl: testDatabase.url, masterKey, extensions: REGISTERED };
  const other = resources.use(await serveNode(options));
  const environment = { CACHE_TOKENS: '0', CACHE_ORGANIZATIONS: '0' };
  const forgetful = resources.use(await serveNode({ ...options, environment }));
  return {
    server,
    other,
    /** A server without a cache. */
    forgetful,
    sql: (statement: string) => execute(server.testDatabase.url, statement),
    givenCustomer: () => createCustomer(server),
    /** What the examples of all routes refer to, for this customer. */
    factsFor: ({ organizationId, admin }: Customer): Promise<ExampleFacts> =>
      withExtensions(testDatabase.url, { ...server.facts, shared: organizationId, email: admin.email }),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

export type Customer = Awaited<ReturnType<typeof createCustomer>>;

let serial = 0;

/** Creates an account with two admins, a member, and an organization that all their tokens may read. */
async function createCustomer(server: ServedPostgres) {
  serial += 1;
  const { createAccount, createUser, createOrganization, addMember, actAs, issueToken } =
    server.container.services.useCases;
  const { id: accountId } = done(await createAccount(OPERATOR, { name: `Customer ${serial}` }));
  const person = async (name: string, role: 'admin' | 'member') => {
    const email = `${name}@customer-${serial}.example`;
    return done(await createUser(OPERATOR, { accountId, email, name, role, password: PASSWORD }));
  };
  const [admin, member] = [await person('eve', 'admin'), await person('ben', 'member')];
  await person('ida', 'admin');
  const input = { accountId, name: 'Press shop', description: null };
  const { id: organizationId } = done(await createOrganization(OPERATOR, input));
  done(await addMember(OPERATOR, { organizationId, email: member.email }));
  const principal = done(await actAs(admin.email, OPERATOR));
  const issued = async (format: (typeof TOKEN_FORMATS)[number]) =>
    done(await issueToken(principal, { name: format, format, scopes: ['*'], expiry: 'never' })).secret;
  const signedIn = await signInWith(server.url, { email: member.email, password: PASSWORD });
  return {
    accountId,
    organizationId,
    admin,
    member,
    tokens: {
      admin: await Promise.all(TOKEN_FORMATS.map(issued)),
      member: [tokenIn(signedIn)],
    },
  };
}
