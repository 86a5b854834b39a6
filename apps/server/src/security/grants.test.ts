import { ROUTES } from '@gatehouse/api-contract';
import { TOKEN_FORMATS } from '@gatehouse/domain/tokens';
import type { Route } from '@gatehouse/extension-kit/http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, ME, signInWith } from '../../testing/client.ts';
import { type ExampleTarget, exampleTargets, isTokenRead } from '../../testing/examples.ts';
import { issue } from '../../testing/issue.ts';
import { sendRaw } from '../../testing/raw-http.ts';
import {
  type Customer,
  PASSWORD,
  type ServedCustomers,
  STALENESS,
  serveCustomers,
} from '../../testing/serve-customers.ts';
import { demoFacts } from '../../testing/serve-postgres.ts';

let served: ServedCustomers;

beforeAll(async () => {
  served = await serveCustomers();
});
afterAll(() => served[Symbol.asyncDispose]());

const targetsFor = ({ organizationId, admin }: Customer, outcomes?: readonly ExampleTarget['outcome'][]) => {
  const facts = { ...demoFacts(served.server.demo), shared: organizationId, email: admin.email };
  return exampleTargets(facts, isTokenRead, outcomes);
};

/** Schemas of answers take no member that they do not name. */
const expectDocumented = ({ operationId, success }: Route, json: unknown) =>
  expect([operationId, success.body?.safeParse(json).error]).toEqual([operationId, undefined]);

const undated = (headers: Headers) => [...headers].filter(([name]) => name !== 'date');

describe('what belongs to another account', () => {
  test('is answered exactly like a missing one, for every caller, cached or not, in both formats', async () => {
    const [own, foreign, gone] = [
      await served.givenCustomer(),
      await served.givenCustomer(),
      await served.givenCustomer(),
    ];
    await served.sql(`update accounts set suspended_at = now() where id = ${gone.accountId}`);
    // The node that is asked remembers it, for its own people.
    for (const { tokens, organizationId } of [own, foreign]) {
      for (const { url } of [served.server, served.forgetful]) {
        const path = `/api/v1/orgs/${organizationId}`;
        expect((await call(url, path, { token: tokens.admin[0] ?? '' })).status).toBe(200);
      }
    }
    const ids = [foreign.organizationId, gone.organizationId, 987_654_321, Number.MAX_SAFE_INTEGER, 'x'];
    for (const { url } of [served.server, served.forgetful]) {
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
    const customer = await served.givenCustomer();
    for (const { url } of [served.server, served.forgetful]) {
      for (const token of [...customer.tokens.admin, ...customer.tokens.member]) {
        for (const { route, target } of targetsFor(customer)) {
          for (let time = 0; time < 2; time += 1) {
            expectDocumented(route, (await call(url, target, { token })).json);
          }
        }
      }
    }
    const { email } = (await served.givenCustomer()).admin;
    const { json } = await signInWith(served.server.url, { email, password: PASSWORD });
    expectDocumented(ROUTES.signIn, json);
  });
});

describe('a token', () => {
  test('obtains no other one, and no longer life, whatever it asks for and how', async () => {
    const [{ id: before }] = (await served.sql('select count(*)::int as id from tokens')) as [{ id: number }];
    const short = await issue(served.server, { expiry: { in: 3_600_000 } });
    const ends = (await call(served.server.url, ME, { token: short.secret })).headers.get(
      'x-token-expires-at',
    );
    const fields = { email: served.server.demo.admin.email, token: short.secret, access_token: short.secret };
    const paths = [
      ...exampleTargets(demoFacts(served.server.demo), () => true).map(({ target }) => target),
      '/api/v1/tokens',
      '/api/v1/auth/refresh.json',
      '/token',
    ];
    for (const path of paths) {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        const headers = { 'content-type': 'application/json' };
        const body =
          method === 'GET' ? {} : { body: JSON.stringify({ ...fields, grant_type: 'refresh_token' }) };
        const reply = await call(served.server.url, path, { method, token: short.secret, headers, ...body });
        expect(reply.text).not.toMatch(/v4\.public\.|eyJ/);
        expect(reply.headers.get('set-cookie')).toBeNull();
      }
    }
    const after = await call(served.server.url, ME, { token: short.secret });
    expect(after.headers.get('x-token-expires-at')).toBe(ends);
    expect(await served.sql('select count(*)::int as id from tokens')).toEqual([{ id: before + 1 }]);
  });
});

describe('a verdict', () => {
  const transports = (path: string, token: string) =>
    ['GET', 'HEAD'].flatMap((method) =>
      [path, `${path}?x=1`, `http://evil.example${path}`].flatMap((target) =>
        [
          'HTTP/1.1\r\nAuthorization: Bearer',
          'HTTP/1.0\r\nAUTHORIZATION:bearer',
          'HTTP/1.1\r\nX-HTTP-Method-Override: POST\r\nauthorization: Bearer',
        ].map((head) => `${method} ${target} ${head} ${token}\r\nHost: x\r\nConnection: close\r\n\r\n`),
      ),
    );

  test('is the same by every transport, in both formats, on every route, remembered or not', async () => {
    const customer = await served.givenCustomer();
    const targets = targetsFor(customer, ['success', 'not_found']);
    const verdictOf = async (token: string) => {
      const verdicts: Record<string, string> = {};
      for (const { route, outcome, target } of targets) {
        const seen = new Set<number | undefined>();
        for (const { url } of [served.server, served.other, served.forgetful]) {
          for (const request of [...transports(target, token), ...transports(target, token)]) {
            seen.add((await sendRaw(url, request))[0]?.status);
          }
        }
        verdicts[`${route.operationId} ${outcome}`] = [...seen].join();
      }
      return verdicts;
    };
    const found = await Promise.all([...customer.tokens.admin, ...customer.tokens.member].map(verdictOf));
    const expected = (verdict: (target: ExampleTarget) => string) =>
      Object.fromEntries(
        targets.map((target) => [`${target.route.operationId} ${target.outcome}`, verdict(target)]),
      );
    const whole = expected(({ outcome }) => (outcome === 'success' ? '200' : '404'));
    for (const verdicts of found) expect(verdicts).toEqual(whole);
    // The demo's admin has another account: what the customer's examples name is not there.
    const narrow = expected(({ route }) => {
      if (route.rule?.scope !== 'orgs:read') return '403';
      return route.params ? '404' : '200';
    });

    for (const format of TOKEN_FORMATS) {
      const scoped = await issue(served.server, { format, scopes: ['orgs:read'] });
      expect(await verdictOf(scoped.secret)).toEqual(narrow);
      await served.sql(
        `update tokens set revoked_at = now(), revoked_by = '{}', revoked_reason = 'x' where id = '${scoped.record.id}'`,
      );
      const isOver = async () => {
        const statuses = [served.server, served.other, served.forgetful].map(({ url }) =>
          call(url, ME, { token: scoped.secret }),
        );
        return (await Promise.all(statuses)).every(({ status }) => status === 401);
      };
      await expect.poll(isOver, STALENESS).toBe(true);
      expect(await verdictOf(scoped.secret)).toEqual(expected(() => '401'));
    }
  });
});
