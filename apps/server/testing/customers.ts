import { unwrap } from '@gatehouse/domain/testing';
import { TOKEN_FORMATS } from '@gatehouse/domain/tokens';
import { signInWith, tokenIn } from './client.ts';
import { serveRegistered, withExtensions } from './example-facts.ts';
import type { ExampleFacts } from './examples.ts';
import { execute } from './execute.ts';
import { type DemoServer, OPERATOR } from './postgres-server.ts';
import { REGISTERED } from './registered.ts';
import { startTestServer } from './start-test-server.ts';

/** A node may use cached data for this long after a change was acknowledged, in milliseconds. */
export const STALENESS = { timeout: 1000, interval: 5 };
/** The password of all users. */
export const PASSWORD = 'correct horse battery';

export type ServedCustomers = Awaited<ReturnType<typeof serveCustomers>>;

/** Starts three servers on one database, with as many customers as a test needs. */
export async function serveCustomers() {
  const resources = new AsyncDisposableStack();
  const server = resources.use(await serveRegistered());
  const { database } = server;
  const options = { database, extensions: REGISTERED };
  const other = resources.use(await startTestServer(options));
  const forgetful = resources.use(
    await startTestServer({ ...options, settings: { CACHE_TOKENS: '0', CACHE_ORGANIZATIONS: '0' } }),
  );
  return {
    server,
    other,
    /** A server without a cache. */
    forgetful,
    sql: (statement: string) => execute(database.url, statement),
    givenCustomer: () => createCustomer(server),
    /** Returns the objects that the examples of all routes refer to, for this customer. */
    factsFor: ({ organizationId, admin }: Customer): Promise<ExampleFacts> =>
      withExtensions(database.url, { ...server.facts, shared: organizationId, email: admin.email }),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

export type Customer = Awaited<ReturnType<typeof createCustomer>>;

let serial = 0;

/** Creates an account with two admins, a member, and an organization that all their tokens may read. */
async function createCustomer(server: DemoServer) {
  serial += 1;
  const { createAccount, createUser, createOrganization, addMember, actAs, issueToken } =
    server.container.services.useCases;
  const { id: accountId } = unwrap(await createAccount(OPERATOR, { name: `Customer ${serial}` }));
  const person = async (name: string, role: 'admin' | 'member') => {
    const email = `${name}@customer-${serial}.example`;
    return unwrap(await createUser(OPERATOR, { accountId, email, name, role, password: PASSWORD }));
  };
  const [admin, member] = [await person('eve', 'admin'), await person('ben', 'member')];
  await person('ida', 'admin');
  const input = { accountId, name: 'Press shop', description: null };
  const { id: organizationId } = unwrap(await createOrganization(OPERATOR, input));
  unwrap(await addMember(OPERATOR, { organizationId, user: { email: member.email } }));
  const principal = unwrap(await actAs(admin.email, OPERATOR));
  const issued = async (format: (typeof TOKEN_FORMATS)[number]) =>
    unwrap(await issueToken(principal, { name: format, format, scopes: ['*'], expiry: 'never' })).secret;
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
