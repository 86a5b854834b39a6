import type { Route } from '@gatehouse/extension-kit/http';
import { sendRaw } from '@gatehouse/front/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, FORM, ME, signInWith, tokenIn } from '../../testing/client.ts';
import { exampleTargets, isRead, isTokenRead } from '../../testing/examples.ts';
import { startTestServer } from '../../testing/start-test-server.ts';
import { type ServedSurface, serveSurface } from '../../testing/surface.ts';

let server: ServedSurface;

beforeAll(async () => {
  server = await serveSurface();
});
afterAll(() => server[Symbol.asyncDispose]());

describe('unknown members', () => {
  const hostile = (good: { readonly email: string; readonly password: string }) => {
    const { email, password } = good;
    const json = (members: string) => [`{${members}}`, 'application/json'] as const;
    const form = (members: Readonly<Record<string, string>>) =>
      [`${new URLSearchParams(members)}`, FORM] as const;
    const both = `"email":${JSON.stringify(email)},"password":${JSON.stringify(password)}`;
    return {
      refused: [
        json(`"email":["${email}"],"password":"${password}"`),
        json(`"email":{"$gt":""},"password":{"$gt":""}`),
        json(`"email":"${email}","password":{"$ne":null}`),
        json(`"email":"${email}","password":true`),
        json(`"email":"${email}","password":0`),
        json(`"email":"${email}","password":null`),
        json(`"__proto__":{${both}}`),
        json(`"constructor":{"prototype":{${both}}}`),
        json(`"user":{${both}}`),
        json(`"userId":1,"role":"admin"`),
        form({ 'email[]': email, 'password[]': password }),
        form({ 'email[$gt]': '', 'password[$gt]': '' }),
        form({ '__proto__[email]': email, '__proto__[password]': password }),
      ],
      ignored: [
        json(`${both},"role":"admin","userId":1,"user_id":1,"account_id":2,"scopes":["*"],"kind":"api"`),
        json(`"__proto__":{"role":"admin","email":"x"},${both}`),
        json(`${both},"constructor":{"prototype":{"role":"admin"}},"expires_at":null,"lifetimeMs":1e15`),
        form({
          email,
          password,
          role: 'admin',
          userId: '1',
          __proto__: '1',
          'constructor[prototype][role]': 'admin',
        }),
      ],
    };
  };

  test('of a body are refused, or have no effect', async () => {
    const { email, password } = server.demo.member;
    const { refused, ignored } = hostile({ email, password });
    for (const [body, type] of refused) {
      const { status } = await server.post(body, type);
      expect([401, 422], body).toContain(status);
    }
    const me = async (bearer: string) => {
      const {
        id,
        role,
        account,
        token: own,
      } = (await call(server.url, ME, { token: bearer })).json as {
        id: number;
        role: string;
        account: object;
        token: { kind: string; scopes: unknown; expires_at: string; created_at: string };
      };
      const days = (Date.parse(own.expires_at) - Date.parse(own.created_at)) / 86_400_000;
      return { id, role, account, kind: own.kind, scopes: own.scopes, days: Math.round(days) };
    };
    const plain = await signInWith(server.url, { email, password });
    const expected = await me(tokenIn(plain));
    expect(expected).toMatchObject({ role: 'member', kind: 'sign-in', days: 30 });
    for (const [body, type] of ignored) {
      const reply = await server.post(body, type);
      expect(reply.status, body).toBe(200);
      expect(await me(tokenIn(reply))).toEqual(expected);
    }
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  test('of a query or a header change no answer', async () => {
    const query =
      'user_id=2&userId=2&role=admin&account_id=2&scope=*&__proto__[role]=admin&id=2&_method=POST';
    const unknownTo = (route: Route) =>
      query.split('&').filter((pair) => !Object.hasOwn(route.query ?? {}, pair.split('=')[0] ?? ''));
    const headers = {
      'x-user-id': '2',
      'x-account-id': '2',
      'x-role': 'admin',
      'x-original-url': '/api/v1/orgs/2',
      'x-rewrite-url': '/api/v1/orgs/2',
      'x-http-method-override': 'DELETE',
      cookie: 'role=admin; user_id=2',
    };
    const withoutToken = (json: unknown) => ({ ...(json as object), token: undefined });
    for (const { route, target } of exampleTargets(server.facts, isTokenRead, ['success', 'not_found'])) {
      const queried = `${target}?${unknownTo(route).join('&')}`;
      const [plain, other] = [await server.get(target), await server.get(queried, headers)];
      expect([target, other.status, withoutToken(other.json)]).toEqual([
        target,
        plain.status,
        withoutToken(plain.json),
      ]);
    }
  });
});

describe('what a client says of where it comes from, or whom it asks', () => {
  const CLAIMS = (address: string) => ({
    'x-forwarded-for': address,
    'x-real-ip': address,
    forwarded: `for=${address};host=evil.example;proto=https`,
    'x-client-ip': address,
    'true-client-ip': address,
    'cf-connecting-ip': address,
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'https',
    'x-forwarded-port': '666',
    'x-forwarded-prefix': '/evil',
  });

  test('is ignored where it is no proxy that is trusted: it lengthens no limit, and is not logged', async () => {
    await using strict = await startTestServer({
      database: 'postgres',
      settings: { SIGN_IN_ADDRESS_ATTEMPTS: '5', TRUST_PROXY: '192.0.2.0/24' },
    });
    const statuses: number[] = [];
    for (let turn = 0; turn < 8; turn += 1) {
      const headers = CLAIMS(`198.51.100.${turn}`);
      const fields = { email: `user-${turn}@acme.example`, password: 'x' };
      statuses.push((await signInWith(strict.url, fields, { headers })).status);
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429, 429]);
    await call(strict.url, ME, { token: 'garbage', headers: CLAIMS('198.51.100.99') });
    const addresses = strict.entries().flatMap(({ address }) => (address === undefined ? [] : [address]));
    expect([addresses.length, new Set(addresses)]).toEqual([9, new Set(['127.0.0.1'])]);
    expect(strict.lines.join('')).not.toMatch(/evil|198\.51/);
  });

  test('decides nothing and is in no answer: hosts, forwarded hosts, and the host of an absolute target', async () => {
    const targets = exampleTargets(server.facts, isRead).map(({ target }) => target);
    const paths = [...targets, '/nope'];
    const claims = Object.entries(CLAIMS('198.51.100.7')).map(([name, value]) => `${name}: ${value}\r\n`);
    for (const path of paths) {
      const ask = async (target: string, host: string, more: string) => {
        const head = `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\nX-Request-Id: same\r\n${more}`;
        const [reply] = await sendRaw(server.url, `${head}Authorization: Bearer ${server.token}\r\n\r\n`);
        const { last_used_at: _, ...rest } = JSON.parse(reply?.body ?? '{}').token ?? {};
        const body = path === ME ? { ...JSON.parse(reply?.body ?? ''), token: rest } : reply?.body;
        return [reply?.status, [...(reply?.headers ?? [])].filter(([name]) => name !== 'date'), body];
      };
      const plain = await ask(path, '127.0.0.1', '');
      expect(await ask(path, 'evil.example', claims.join(''))).toEqual(plain);
      expect(await ask(`http://evil.example:1${path}`, 'admin.internal', claims.join(''))).toEqual(plain);
      expect(JSON.stringify(plain)).not.toContain('evil');
    }
  });
});
