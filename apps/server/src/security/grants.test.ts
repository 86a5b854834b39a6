import {
  disableUser,
  type Instant,
  type Operator,
  type OrganizationId,
  type Result,
  removeMember,
  setRole,
  suspendAccount,
  TOKEN_FORMATS,
} from '@gatehouse/domain';
import {
  createPostgresAccountRepository,
  createPostgresOrganizationRepository,
  createPostgresTokenRepository,
  createPostgresUserRepository,
  openDatabase,
} from '@gatehouse/postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, signInWith } from '../../testing/client.ts';
import { execute } from '../../testing/execute.ts';
import { issue } from '../../testing/issue.ts';
import { sendRaw } from '../../testing/raw-http.ts';
import { type ServedNode, serveNode } from '../../testing/serve-node.ts';
import { type ServedPostgres, servePostgres } from '../../testing/serve-postgres.ts';
import { Demo } from '../container.ts';

const OPERATOR: Operator = { kind: 'operator', name: 'tester', origin: 'test' };
const ME = '/api/v1/me.json';
const PASSWORD = 'correct horse battery';
/** A node may act on what it remembers for so long after a change was acknowledged, in milliseconds. */
const STALENESS = { timeout: 1000, interval: 5 };

let server: ServedPostgres;
let other: ServedNode;
/** Remembers nothing. */
let forgetful: ServedNode;
const resources = new AsyncDisposableStack();

beforeAll(async () => {
  server = resources.use(await servePostgres());
  const options = { databaseUrl: server.testDatabase.url, masterKey: server.masterKey };
  other = resources.use(await serveNode(options));
  const environment = { CACHE_TOKENS: '0', CACHE_ORGANIZATIONS: '0' };
  forgetful = resources.use(await serveNode({ ...options, environment }));
});
afterAll(() => resources.disposeAsync());

function done<T>(result: Result<T, { readonly code: string }>): T {
  return result.ok ? result.value : expect.fail(result.error.code);
}

const sql = (statement: string) => execute(server.testDatabase.url, statement);

/** What commands do, on a connection that is nobody else's. */
function openCommands() {
  const database = openDatabase({ url: server.testDatabase.url, poolSize: 1 });
  const ports = {
    accounts: createPostgresAccountRepository(database),
    users: createPostgresUserRepository(database),
    organizations: createPostgresOrganizationRepository(database),
    tokens: createPostgresTokenRepository(database),
    clock: { now: () => Date.now() as Instant },
  };
  return {
    disableUser: disableUser(ports),
    setRole: setRole(ports),
    suspendAccount: suspendAccount(ports),
    removeMember: removeMember(ports),
    [Symbol.asyncDispose]: () => database.close(),
  };
}

type Commands = ReturnType<typeof openCommands>;

let serial = 0;

/** An account of its own, with two admins, a member, and an organization that every token of theirs may read. */
async function givenCustomer() {
  serial += 1;
  const { createAccount, createUser, createOrganization, addMember, actAs, issueToken } =
    server.container.resolve(Demo);
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
  const principal = done(await actAs(admin.email, 'test'));
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
      member: [(signedIn.json as { readonly token: string }).token],
    },
  };
}

type Customer = Awaited<ReturnType<typeof givenCustomer>>;

const userIs = (id: number) => `user_id = ${id}`;

interface Ending {
  readonly of: 'admin' | 'member';
  readonly byCommand?: (commands: Commands, customer: Customer) => Promise<Result<unknown, { code: string }>>;
  readonly bySql: (customer: Customer) => string;
  /** What becomes of /me.json and of the organization. */
  readonly leaves: readonly [me: number, organization: number];
}

const ENDINGS: Readonly<Record<string, Ending>> = {
  'a user who is disabled': {
    of: 'admin',
    byCommand: ({ disableUser }, { admin }) =>
      disableUser(OPERATOR, { email: admin.email, reason: null, transferTo: null }),
    bySql: ({ admin }) => `update users set disabled_at = now() where id = ${admin.id}`,
    leaves: [401, 401],
  },
  'a user who is deleted': {
    of: 'admin',
    bySql: ({ admin }) =>
      `delete from tokens where ${userIs(admin.id)}; delete from memberships where ${userIs(admin.id)};
       delete from users where id = ${admin.id}`,
    leaves: [401, 401],
  },
  'an account that is suspended': {
    of: 'admin',
    byCommand: ({ suspendAccount }, { accountId: id }) => suspendAccount(OPERATOR, { id, reason: null }),
    bySql: ({ accountId }) => `update accounts set suspended_at = now() where id = ${accountId}`,
    leaves: [401, 401],
  },
  'a role that is changed': {
    of: 'admin',
    byCommand: ({ setRole }, { admin }) => setRole(OPERATOR, { email: admin.email, role: 'member' }),
    bySql: ({ admin }) => `update users set role = 'member' where id = ${admin.id}`,
    leaves: [200, 403],
  },
  'a membership that is removed': {
    of: 'member',
    byCommand: ({ removeMember }, { organizationId, member: { email } }) =>
      removeMember(OPERATOR, { organizationId, email }),
    bySql: ({ member }) => `delete from memberships where ${userIs(member.id)}`,
    leaves: [200, 403],
  },
  'an organization that is deleted': {
    of: 'member',
    bySql: ({ organizationId: id }) =>
      `delete from memberships where organization_id = ${id}; delete from organizations where id = ${id}`,
    leaves: [200, 404],
  },
};

describe.each(Object.entries(ENDINGS))('%s', (_, { of, byCommand, bySql, leaves }) => {
  const ways = [
    ...(byCommand
      ? [
          [
            'the domain',
            async (customer: Customer) => {
              await using commands = openCommands();
              done(await byCommand(commands, customer));
            },
          ] as const,
        ]
      : []),
    ['plain SQL', async (customer: Customer) => void (await sql(bySql(customer)))] as const,
  ];

  test.each(ways)(
    'is so for the next request on every node within the staleness bound, by %s',
    async (_, end) => {
      const customer = await givenCustomer();
      const paths = [ME, `/api/v1/orgs/${customer.organizationId}`];
      const statuses = () =>
        Promise.all(
          [server, other, forgetful].flatMap(({ url }) =>
            customer.tokens[of].flatMap((token) =>
              paths.map(async (path) => (await call(url, path, { token })).status),
            ),
          ),
        );
      const asked = (await statuses()).length;
      expect(new Set(await statuses())).toEqual(new Set([200]));
      await end(customer);
      const expected = Array.from({ length: asked / 2 }, () => leaves).flat();
      await expect.poll(statuses, STALENESS).toEqual(expected);
    },
  );
});

const undated = (headers: Headers) => [...headers].filter(([name]) => name !== 'date');

describe('what belongs to another account', () => {
  test('is answered exactly as what is not there, whoever asks, known or not, in both formats', async () => {
    const [own, foreign, gone] = [await givenCustomer(), await givenCustomer(), await givenCustomer()];
    await sql(`update accounts set suspended_at = now() where id = ${gone.accountId}`);
    // The node that is asked remembers it, for its own people.
    for (const { tokens, organizationId } of [own, foreign]) {
      for (const { url } of [server, forgetful]) {
        const path = `/api/v1/orgs/${organizationId}`;
        expect((await call(url, path, { token: tokens.admin[0] ?? '' })).status).toBe(200);
      }
    }
    const ids = [foreign.organizationId, gone.organizationId, 987_654_321, Number.MAX_SAFE_INTEGER, 'x'];
    for (const { url } of [server, forgetful]) {
      for (const token of [...own.tokens.admin, ...own.tokens.member]) {
        const answers = new Set<string>();
        for (const id of [...ids, ...ids]) {
          for (const headers of [{}, { 'if-none-match': '*' }]) {
            const path = `/api/v1/orgs/${id}`;
            const reply = await call(url, path, { token, headers: { ...headers, 'x-request-id': 'same' } });
            answers.add(JSON.stringify([reply.status, undated(reply.headers), reply.text]));
          }
        }
        expect([...answers]).toEqual([expect.stringMatching(/^\[404,/)]);
      }
    }
  });
});

describe('answers', () => {
  test('carry exactly the documented members, in both formats, known or not', async () => {
    const { organizationId, tokens } = await givenCustomer();
    for (const { url } of [server, forgetful]) {
      for (const token of [...tokens.admin, ...tokens.member]) {
        for (let time = 0; time < 2; time += 1) {
          const [me, organization] = [
            (await call(url, ME, { token })).json as Record<string, object>,
            (await call(url, `/api/v1/orgs/${organizationId}`, { token })).json as object,
          ];
          expect(Object.keys(organization)).toEqual(['id', 'name', 'description']);
          expect(Object.keys(me)).toEqual(['id', 'email', 'name', 'role', 'account', 'token']);
          expect(Object.keys(me.account ?? {})).toEqual(['id', 'name']);
          expect(Object.keys(me.token ?? {})).toEqual([
            'id',
            'name',
            'kind',
            'scopes',
            'created_at',
            'expires_at',
            'last_used_at',
          ]);
        }
      }
    }
    const { email } = (await givenCustomer()).admin;
    const { json } = await signInWith(server.url, { email, password: PASSWORD });
    expect(Object.keys(json as object)).toEqual(['token']);
  });
});

describe('a token', () => {
  test('obtains no other one, and no longer life, whatever it asks for and how', async () => {
    const [{ id: before }] = (await sql('select count(*)::int as id from tokens')) as [{ id: number }];
    const short = await issue(server, { expiry: { in: 3_600_000 } });
    const ends = (await call(server.url, ME, { token: short.secret })).headers.get('x-token-expires-at');
    const fields = { email: server.demo.admin.email, token: short.secret, access_token: short.secret };
    const paths = [
      '/api/v1/auth.json',
      ME,
      '/api/v1/orgs/1',
      '/api/v1/tokens',
      '/api/v1/auth/refresh.json',
      '/token',
    ];
    for (const path of paths) {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        const headers = { 'content-type': 'application/json' };
        const body =
          method === 'GET' ? {} : { body: JSON.stringify({ ...fields, grant_type: 'refresh_token' }) };
        const reply = await call(server.url, path, { method, token: short.secret, headers, ...body });
        expect(reply.text).not.toMatch(/v4\.public\.|eyJ/);
        expect(reply.headers.get('set-cookie')).toBeNull();
      }
    }
    const after = await call(server.url, ME, { token: short.secret });
    expect(after.headers.get('x-token-expires-at')).toBe(ends);
    expect(await sql('select count(*)::int as id from tokens')).toEqual([{ id: before + 1 }]);
  });
});

describe('a verdict', () => {
  const transports = (path: string, token: string) =>
    ['GET', 'HEAD'].flatMap((method) =>
      [path, `http://evil.example${path}`].flatMap((target) =>
        ['HTTP/1.1', 'HTTP/1.0'].map(
          (version) =>
            `${method} ${target} ${version}\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${token}\r\n\r\n`,
        ),
      ),
    );

  test('is the same by every transport, in both formats, on every route, remembered or not', async () => {
    const customer = await givenCustomer();
    const { id: foreign } = { id: server.demo.other_account.organization_id as OrganizationId };
    const paths = {
      me: ME,
      own: `/api/v1/orgs/${customer.organizationId}`,
      foreign: `/api/v1/orgs/${foreign}`,
    };
    const verdictOf = async (token: string) => {
      const verdicts: Record<string, string> = {};
      for (const [place, path] of Object.entries(paths)) {
        const seen = new Set<number | undefined>();
        for (const { url } of [server, other, forgetful]) {
          for (const request of [...transports(path, token), ...transports(path, token)]) {
            seen.add((await sendRaw(url, request))[0]?.status);
          }
        }
        verdicts[place] = [...seen].join();
      }
      return verdicts;
    };
    const found = await Promise.all([...customer.tokens.admin, ...customer.tokens.member].map(verdictOf));
    for (const verdicts of found) expect(verdicts).toEqual({ me: '200', own: '200', foreign: '404' });

    for (const format of TOKEN_FORMATS) {
      const scoped = await issue(server, { format, scopes: ['orgs:read'] });
      expect(await verdictOf(scoped.secret)).toEqual({ me: '403', own: '404', foreign: '404' });
      await sql(
        `update tokens set revoked_at = now(), revoked_by = '{}', revoked_reason = 'x' where id = '${scoped.record.id}'`,
      );
      const isOver = async () => {
        const statuses = [server, other, forgetful].map(({ url }) => call(url, ME, { token: scoped.secret }));
        return (await Promise.all(statuses)).every(({ status }) => status === 401);
      };
      await expect.poll(isOver, STALENESS).toBe(true);
      expect(await verdictOf(scoped.secret)).toEqual({ me: '401', own: '401', foreign: '401' });
    }
  });
});
