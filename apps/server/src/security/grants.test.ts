import { ROUTES } from '@gatehouse/api-contract';
import type { NarrowScope } from '@gatehouse/domain/access';
import { TOKEN_FORMATS } from '@gatehouse/domain/tokens';
import type { Route } from '@gatehouse/extension-kit/http';
import { sendRaw } from '@gatehouse/front/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, ME, signInWith } from '../../testing/client.ts';
import {
  type Customer,
  PASSWORD,
  type ServedCustomers,
  STALENESS,
  serveCustomers,
} from '../../testing/customers.ts';
import {
  type ExampleTarget,
  exampleOf,
  exampleTargets,
  isTokenRead,
  routesOf,
  targetOf,
} from '../../testing/examples.ts';
import { issue } from '../../testing/issue.ts';
import { REGISTERED_CATALOG } from '../../testing/registered.ts';

let served: ServedCustomers;

beforeAll(async () => {
  served = await serveCustomers();
});
afterAll(() => served[Symbol.asyncDispose]());

const targetsFor = async (customer: Customer, outcomes?: readonly ExampleTarget['outcome'][]) =>
  exampleTargets(await served.factsFor(customer), isTokenRead, outcomes);

/** The parameters of the path of each route that is read with a token, in the customer's successful example. */
async function paramsFor(customer: Customer) {
  const facts = await served.factsFor(customer);
  return new Map(
    routesOf(facts).flatMap((route) => {
      const { params } = exampleOf(facts, route, 'success') ?? {};
      return isTokenRead(route) && params ? [[route, params] as const] : [];
    }),
  );
}

/** Every choice of one value for each name. */
function choices<Value>(
  values: Readonly<Record<string, readonly Value[]>>,
): Readonly<Record<string, Value>>[] {
  return Object.entries(values).reduce<Record<string, Value>[]>(
    (sofar, [name, all]) => sofar.flatMap((chosen) => all.map((value) => ({ ...chosen, [name]: value }))),
    [{}],
  );
}

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
    const [mine, theirs, lost] = [await paramsFor(own), await paramsFor(foreign), await paramsFor(gone)];
    // The node that is asked remembers it, for its own people.
    for (const [{ tokens }, params] of [
      [own, mine],
      [foreign, theirs],
    ] as const) {
      for (const { url } of [served.server, served.forgetful]) {
        for (const [route, example] of params) {
          const target = targetOf(route, { params: example });
          expect((await call(url, target, { token: tokens.admin[0] ?? '' })).status).toBe(200);
        }
      }
    }
    expect(mine.size).toBeGreaterThan(0);
    for (const [route, example] of mine) {
      const not = choices(
        Object.fromEntries(
          Object.entries(example).map(([name, value]) => {
            const others = [theirs, lost].map((params) => params.get(route)?.[name] ?? 'x');
            return [name, [value, ...others, 987_654_321, Number.MAX_SAFE_INTEGER, 'x']];
          }),
        ),
      ).slice(1);
      for (const { url } of [served.server, served.forgetful]) {
        for (const token of [...own.tokens.admin, ...own.tokens.member]) {
          const answers = new Set<string>();
          for (const params of [...not, ...not]) {
            for (const headers of [{}, { 'if-none-match': '*' }]) {
              const target = targetOf(route, { params });
              const reply = await call(url, target, {
                token,
                headers: { ...headers, 'x-request-id': 'same' },
              });
              answers.add(JSON.stringify([reply.status, undated(reply.headers), reply.text]));
            }
          }
          expect([...answers], route.operationId).toEqual([expect.stringMatching(/^\[404,/)]);
        }
      }
    }
  });

  test('takes as many statements to look up as a missing one, on every route', async () => {
    const [own, foreign] = [await served.givenCustomer(), await served.givenCustomer()];
    const theirs = await paramsFor(foreign);
    for (const [route, example] of await paramsFor(own)) {
      for (const name of Object.keys(example)) {
        for (const token of [...own.tokens.admin, ...own.tokens.member]) {
          const counted = async (value: string | number) => {
            const before = served.forgetful.statements();
            const target = targetOf(route, { params: { ...example, [name]: value } });
            expect((await call(served.forgetful.url, target, { token })).status).toBe(404);
            return served.forgetful.statements() - before;
          };
          const known = theirs.get(route)?.[name] ?? expect.fail(`${route.operationId}: no ${name}`);
          expect([route.operationId, name, await counted(known)]).toEqual([
            route.operationId,
            name,
            await counted(987_654_321),
          ]);
        }
      }
    }
  });
});

describe('answers', () => {
  test('carry exactly the documented members, in both formats, known or not', async () => {
    const customer = await served.givenCustomer();
    const targets = await targetsFor(customer);
    for (const { url } of [served.server, served.forgetful]) {
      for (const token of [...customer.tokens.admin, ...customer.tokens.member]) {
        for (const { route, target } of targets) {
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
      ...exampleTargets(served.server.facts, () => true).map(({ target }) => target),
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
  const transports = (path: string, token: string): readonly string[] =>
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
    const targets = await targetsFor(customer, ['success', 'not_found']);
    /** @param share which of the transports are used: each second, third, ... */
    const verdictOf = async (token: string, share = 1) => {
      const verdicts: Record<string, string> = {};
      for (const [index, { route, outcome, target }] of targets.entries()) {
        const used = transports(target, token).filter((_, place) => (place + index) % share === 0);
        const seen = new Set<number | undefined>();
        for (const { url } of [served.server, served.other, served.forgetful]) {
          for (const request of [...used, ...used]) {
            seen.add((await sendRaw(url, request))[0]?.status);
          }
        }
        verdicts[`${route.operationId} ${outcome}`] = [...seen].join();
      }
      return verdicts;
    };
    // By every transport for one person; by a third of them, other ones on each route, for the other.
    const found = await Promise.all([
      ...customer.tokens.admin.map((token) => verdictOf(token)),
      ...customer.tokens.member.map((token) => verdictOf(token, 3)),
    ]);
    const expected = (verdict: (target: ExampleTarget) => string) =>
      Object.fromEntries(
        targets.map((target) => [`${target.route.operationId} ${target.outcome}`, verdict(target)]),
      );
    const whole = expected(({ outcome }) => (outcome === 'success' ? '200' : '404'));
    for (const verdicts of found) expect(verdicts).toEqual(whole);
    // The demo's admin has another account: what the customer's examples name is not there.
    const narrow = (scope: NarrowScope) =>
      expected(({ route }) => {
        if (route.rule?.scope !== scope) return '403';
        return route.params ? '404' : '200';
      });

    // Every scope, in the formats and by the transports in turns: other ones on each route.
    const SHARE = 6;
    const scopes = REGISTERED_CATALOG.scopes.filter((scope) => scope !== '*');
    for (const [index, scope] of scopes.entries()) {
      const format = TOKEN_FORMATS[index % TOKEN_FORMATS.length] ?? 'paseto';
      const scoped = await issue(served.server, { format, scopes: [scope] });
      expect(await verdictOf(scoped.secret, SHARE)).toEqual(narrow(scope));
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
      expect(await verdictOf(scoped.secret, SHARE)).toEqual(expected(() => '401'));
    }
  });
});
