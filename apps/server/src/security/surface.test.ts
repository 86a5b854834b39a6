import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, signInWith } from '../../testing/client.ts';
import { issue } from '../../testing/issue.ts';
import { openRaw, sendRaw } from '../../testing/raw-http.ts';
import { type ServedPostgres, servePostgres } from '../../testing/serve-postgres.ts';

const ME = '/api/v1/me.json';
const AUTH = '/api/v1/auth.json';
const FORM = 'application/x-www-form-urlencoded';

let server: ServedPostgres;
let token: string;
/** Those of the admin's account, and another's. */
let ids: readonly number[];

beforeAll(async () => {
  server = await servePostgres({ SIGN_IN_ADDRESS_ATTEMPTS: '1000' });
  token = (await issue(server)).secret;
  const { organizations, other_account: other } = server.demo;
  ids = [...organizations.map(({ id }) => id), other.organization_id];
});
afterAll(() => server[Symbol.asyncDispose]());

const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  call(server.url, path, { token, headers });
const post = (
  body: string | Uint8Array,
  type = 'application/json',
  more: Readonly<Record<string, string>> = {},
) =>
  call(server.url, AUTH, {
    method: 'POST',
    body: body as NonNullable<RequestInit['body']>,
    headers: { 'content-type': type, ...more },
  });

describe('members that nobody asked for', () => {
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
      const { status } = await post(body, type);
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
    const expected = await me((plain.json as { token: string }).token);
    expect(expected).toMatchObject({ role: 'member', kind: 'sign-in', days: 30 });
    for (const [body, type] of ignored) {
      const reply = await post(body, type);
      expect(reply.status, body).toBe(200);
      expect(await me((reply.json as { token: string }).token)).toEqual(expected);
    }
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  test('of a query or a header change no answer', async () => {
    const query =
      '?user_id=2&userId=2&role=admin&account_id=2&scope=*&__proto__[role]=admin&id=2&_method=POST';
    const headers = {
      'x-user-id': '2',
      'x-account-id': '2',
      'x-role': 'admin',
      'x-original-url': '/api/v1/orgs/2',
      'x-rewrite-url': '/api/v1/orgs/2',
      'x-http-method-override': 'DELETE',
      cookie: 'role=admin; user_id=2',
    };
    for (const path of [`/api/v1/orgs/${ids[0]}`, `/api/v1/orgs/${ids.at(-1)}`]) {
      const [plain, other] = [await get(path), await get(`${path}${query}`, headers)];
      expect([other.status, other.text]).toEqual([plain.status, plain.text]);
    }
    const [plain, other] = [await get(ME), await get(`${ME}${query}`, headers)];
    const { token: _, ...known } = plain.json as Record<string, unknown>;
    expect(other.json).toMatchObject(known);
  });
});

describe('an id in a path', () => {
  const ARABIC = '٠١٢٣٤٥٦٧٨٩';
  const FULL_WIDTH = '０１２３４５６７８９';
  const inDigits = (id: number, digits: string) =>
    encodeURIComponent([...String(id)].map((digit) => digits[Number(digit)]).join(''));

  /** Texts that somebody could take for this id. */
  const spellings = (id: number) => [
    ...[
      `0${id}`,
      `+${id}`,
      `-${id}`,
      `${id}.0`,
      `${id}.`,
      `${id}e0`,
      `0x${id.toString(16)}`,
      `0b${id.toString(2)}`,
    ],
    ...[`${id}n`, `${id}_`, `${id},`, `${id};a=b`, `${id}:`, `${id}'`, `(${id})`, `${id}--`, `${id}.json`],
    ...[
      `%20${id}`,
      `${id}%20`,
      `${id}%09`,
      `${id}%0A`,
      `${id}%00`,
      `%00${id}`,
      `${id}%2F2`,
      `2%2F${id}`,
      `${id}%2f..`,
    ],
    ...[`${id}%23`, `${id}%3F`, `${id}%3Ba`, `%3${id}`, inDigits(id, ARABIC), inDigits(id, FULL_WIDTH)],
    ...[31n, 32n, 53n, 63n, 64n, 128n].map((bits) => String(2n ** bits + BigInt(id))),
    ...[32n, 53n, 63n, 64n].map((bits) => String(BigInt(id) - 2n ** bits)),
    `${'0'.repeat(400)}${id}`,
    `${id}${'0'.repeat(400)}`,
  ];
  const STRANGE = [
    '0',
    '-0',
    '-1',
    '1e3',
    '01',
    '+1',
    '9007199254740993',
    '9223372036854775808',
    'NaN',
    'Infinity',
  ];

  test('is that of one organization in one spelling: no other finds one, another’s least of all, or breaks anything', async () => {
    const known = await Promise.all(ids.map(async (id) => (await get(`/api/v1/orgs/${id}`)).status));
    expect(known).toEqual([200, 200, 200, 404]);
    for (const text of [
      ...ids.flatMap(spellings),
      ...STRANGE,
      '9'.repeat(400),
      ids.join(),
      ids.join('%2C'),
    ]) {
      const { status } = await get(`/api/v1/orgs/${text}`);
      expect([400, 404], text).toContain(status);
    }
  });
});

describe('NUL, lone surrogates and invalid UTF-8', () => {
  const BYTES = {
    NUL: [0],
    'a byte that is none': [0xff],
    'an overlong character': [0xc0, 0xaf],
    'a surrogate': [0xed, 0xa0, 0x80],
    'half a character': [0xe2, 0x82],
    'beyond the last character': [0xf4, 0x90, 0x80, 0x80],
  } as const;
  const percent = (bytes: readonly number[]) =>
    bytes.map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
  const raw = (bytes: readonly number[]) => String.fromCharCode(...bytes);
  const multipart = (email: string) =>
    `--b\r\nContent-Disposition: form-data; name="email"\r\n\r\n${email}\r\n--b\r\nContent-Disposition: form-data; name="password"\r\n\r\nx\r\n--b--\r\n`;

  /** Requests with this in each place that is read, each written byte by byte. */
  const requests = (bytes: readonly number[]) => {
    const body = (type: string, content: string) =>
      `POST ${AUTH} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: ${type}\r\nContent-Length: ${content.length}\r\n\r\n${content}`;
    const headed = (target: string, lines: string) =>
      `GET ${target} HTTP/1.1\r\nConnection: close\r\n${lines}\r\n\r\n`;
    const bearer = `Authorization: Bearer ${token}`;
    return {
      path: headed(`/api/v1/orgs/1${percent(bytes)}`, `Host: x\r\n${bearer}`),
      'path, as it is': headed(`/api/v1/orgs/1${raw(bytes)}`, `Host: x\r\n${bearer}`),
      token: headed(ME, `Host: x\r\n${bearer}${raw(bytes)}`),
      'token, in the middle': headed(
        ME,
        `Host: x\r\nAuthorization: Bearer ${token.slice(0, 40)}${raw(bytes)}${token.slice(40)}`,
      ),
      host: headed(ME, `Host: x${raw(bytes)}\r\n${bearer}`),
      JSON: body('application/json', `{"email":"a${raw(bytes)}","password":"x"}`),
      'JSON, its password': body('application/json', `{"email":"a","password":"x${raw(bytes)}"}`),
      form: body(FORM, `email=a${percent(bytes)}&password=x`),
      'form, as it is': body(FORM, `email=a${raw(bytes)}&password=x`),
      'multipart form data': body('multipart/form-data; boundary=b', multipart(`a${raw(bytes)}`)),
    };
  };

  test.each(Object.entries(BYTES))('are refused wherever they are read: %s', async (_, bytes) => {
    for (const [place, request] of Object.entries(requests(bytes))) {
      const [reply] = await sendRaw(server.url, Buffer.from(request, 'latin1'));
      expect([400, 401, 404, 422], `${place}: ${reply?.status}`).toContain(reply?.status);
    }
  });

  test.each(['\\u0000', '\\ud800', '\\udc00', '\\ud800x', '\\udfff\\ud800'])(
    'are refused escaped: %s',
    async (escaped) => {
      for (const body of [
        `{"email":"a${escaped}","password":"x"}`,
        `{"email":"a","password":"x${escaped}"}`,
      ]) {
        expect((await post(body)).status).toBe(422);
      }
      expect((await post(`{"email":"a","password":"${'x'.repeat(12)}","${escaped}":1}`)).status).toBe(401);
    },
  );

  test('break nothing where nothing is read', async () => {
    for (const bytes of Object.values(BYTES)) {
      for (const name of ['X-Request-Id', 'If-None-Match', 'X-Forwarded-For', 'Origin', 'Cookie', 'Accept']) {
        using connection = await openRaw(server.url);
        const head = `GET ${ME} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n${name}: a${raw(bytes)}\r\n\r\n`;
        connection.write(Buffer.from(head, 'latin1'));
        const [reply] = await connection.replies(1);
        // A NUL may stand in no header.
        expect(reply?.status).toBe(bytes[0] === 0 ? 400 : 200);
      }
    }
  });
});

describe('JSON that is called text', () => {
  test.each([
    'text/plain',
    'text/plain;charset=utf-8',
    '',
    'application/x-json',
    'text/html; application/json',
  ])('is not read: %j', async (type) => {
    const { email, password } = server.demo.admin;
    expect((await post(JSON.stringify({ email, password }), type)).status).toBe(415);
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
    await using strict = await servePostgres({ SIGN_IN_ADDRESS_ATTEMPTS: '5', TRUST_PROXY: '192.0.2.0/24' });
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
    const paths = [ME, `/api/v1/orgs/${ids[0]}`, '/openapi.json', '/.well-known/jwks.json', '/nope'];
    const claims = Object.entries(CLAIMS('198.51.100.7')).map(([name, value]) => `${name}: ${value}\r\n`);
    for (const path of paths) {
      const ask = async (target: string, host: string, more: string) => {
        const head = `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\nX-Request-Id: same\r\n${more}`;
        const [reply] = await sendRaw(server.url, `${head}Authorization: Bearer ${token}\r\n\r\n`);
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
