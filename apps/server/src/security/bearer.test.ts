import { TOKEN_FORMATS } from '@gatehouse/domain/tokens';
import { sendRaw } from '@gatehouse/front/testing';
import { createPasetoTokenSigner } from '@gatehouse/token-paseto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Call, call, FORM } from '../../testing/client.ts';
import { type ServedRegistered, serveRegistered } from '../../testing/example-facts.ts';
import { exampleTargets, isTokenRead } from '../../testing/examples.ts';
import { execute } from '../../testing/execute.ts';
import { forge, payloadOf } from '../../testing/forge.ts';
import { issue } from '../../testing/issue.ts';

const REALM = 'Bearer realm="gatehouse"';
const METHODS = ['GET', 'HEAD'];

let server: ServedRegistered;
let tokens: readonly string[];
let paths: readonly string[];

beforeAll(async () => {
  server = await serveRegistered();
  tokens = await Promise.all(TOKEN_FORMATS.map(async (format) => (await issue(server, { format })).secret));
  paths = exampleTargets(server.facts, isTokenRead).map(({ target }) => target);
  // From here on they are remembered.
  for (const token of tokens) expect((await call(server.url, '/api/v1/me.json', { token })).status).toBe(200);
});
afterAll(() => server[Symbol.asyncDispose]());

const ask = (path: string, request: Call) => call(server.url, path, request);
const challengeOf = ({ status, headers }: Awaited<ReturnType<typeof call>>) => [
  status,
  headers.get('www-authenticate'),
];

const lengthOf = (body: string) => `Content-Length: ${body.length}\r\n\r\n${body}`;

/** The status and the challenge for a GET with these header lines, and a form if there is one. */
async function verdictOn(target: string, lines: readonly string[], form = '', framing = lengthOf(form)) {
  const head = [`GET ${target} HTTP/1.1`, 'Host: x', 'Connection: close', ...lines, ''].join('\r\n');
  const [reply] = await sendRaw(server.url, head + framing);
  return [reply?.status, reply?.headers.get('www-authenticate')];
}

const INVALID_REQUEST = [400, `${REALM}, error="invalid_request"`];

describe('a request without credentials of ours', () => {
  test.each([
    ['none at all', undefined],
    ['Basic', 'Basic YWRhOnNlY3JldA=='],
    ['Digest', 'Digest username="ada", realm="gatehouse"'],
    ['Basic, and a token in it', 'Basic Bearer v4.public.abc'],
    ['a scheme that begins like ours', 'Bearers v4.public.abc'],
    ['a bare token', 'v4.public.abc'],
    ['nothing', ''],
    ['the scheme alone', 'Bearer'],
    ['the scheme alone, in small letters', 'bearer'],
    ['the scheme alone, in capitals', 'BEARER'],
    ['the scheme and a blank', 'Bearer '],
    ['the scheme and white space', 'bEARER  \t '],
  ])('is told the realm and of no error, on every route: %s', async (_, authorization) => {
    const headers = authorization === undefined ? {} : { authorization };
    for (const path of paths) {
      for (const method of METHODS) {
        expect(challengeOf(await ask(path, { method, headers }))).toEqual([401, REALM]);
      }
    }
  });
});

describe('a token that is not accepted', () => {
  const sql = (statement: string) => execute(server.database.url, statement);

  test('is answered by the same bytes whatever is wrong with it, on every route, in both formats', async () => {
    const refused: string[] = ['garbage', 'a.b.c', 'v4.public.', '..'];
    for (const format of TOKEN_FORMATS) {
      const [expired, revoked, forged] = [
        await issue(server, { format, expiry: { in: 3_600_000 } }),
        await issue(server, { format }),
        await issue(server, { format }),
      ];
      const ended = [expired, revoked];
      for (const { secret } of ended)
        expect((await ask('/api/v1/me.json', { token: secret })).status).toBe(200);
      await sql(
        `update tokens set expires_at = date_trunc('second', now()) where id = '${expired.record.id}'`,
      );
      await sql(
        `update tokens set revoked_at = now(), revoked_by = '{}', revoked_reason = 'x' where id = '${revoked.record.id}'`,
      );
      const foreignKey = { ...(await createPasetoTokenSigner().generateKey()), id: forged.record.keyId };
      refused.push(
        ...ended.map(({ secret }) => secret),
        forge(payloadOf(forged.secret, format), format, foreignKey),
        forged.secret.slice(0, -1),
        `${forged.secret}x`,
        `${forged.secret} ${forged.secret}`,
      );
    }
    const isRefused = async () =>
      Promise.all(refused.map(async (token) => (await ask('/api/v1/me.json', { token })).status === 401));
    await expect.poll(async () => (await isRefused()).every(Boolean), { timeout: 1000 }).toBe(true);

    const answers = new Set<string>();
    for (const path of paths) {
      for (const token of refused) {
        const { status, headers, text } = await ask(path, { token, headers: { 'x-request-id': 'same' } });
        answers.add(JSON.stringify([status, [...headers].filter(([name]) => name !== 'date'), text]));
      }
    }
    expect([...answers]).toEqual([expect.stringContaining('error=\\"invalid_token\\"')]);
    expect([...answers][0]).toMatch(/^\[401,/);
  });
});

describe('two tokens in one request', () => {
  const QUERIES = [
    'access_token=T',
    'x=1&access_token=T',
    'access_token',
    '%61ccess%5Ftoken=T',
    'a?access_token=T',
  ];
  const FORMS = [
    'access_token=T',
    'a=b&access_token=T',
    'access%5ftoken=T',
    `access_token=T&a=${'x'.repeat(20_000)}`,
  ];

  const eachPathAndToken = () => paths.flatMap((path) => tokens.map((token) => ({ path, token })));

  test('in two headers are refused, however many fields stand between them', async () => {
    const [token] = tokens;
    for (const count of [0, 33, 190]) {
      const lines = [`Authorization: Bearer ${token}`, ...Array.from({ length: count }, () => 'a:')];
      expect(await verdictOn('/api/v1/me.json', lines)).toEqual([200, undefined]);
      expect(await verdictOn('/api/v1/me.json', [...lines, `Authorization: Bearer ${token}`])).toEqual(
        INVALID_REQUEST,
      );
    }
  });

  test('in two headers are refused as an invalid request, whichever of them is good', async () => {
    for (const { path, token } of eachPathAndToken()) {
      for (const [one, other] of [
        [`Bearer ${token}`, `bearer ${token}`],
        [`Bearer ${token}`, 'bearer garbage'],
        ['Bearer garbage', `bearer ${token}`],
        ['Basic x', `bearer ${token}`],
      ]) {
        const lines = [`Authorization: ${one}`, `authorization: ${other}`];
        expect(await verdictOn(path, lines)).toEqual(INVALID_REQUEST);
      }
      for (const joined of [`Bearer ${token}, Bearer garbage`, `Bearer garbage, Bearer ${token}`]) {
        expect((await ask(path, { headers: { authorization: joined } })).status).toBe(400);
      }
    }
  });

  test.each(QUERIES)('in the header and the query (%s) are refused just so', async (query) => {
    for (const { path, token } of eachPathAndToken()) {
      const target = `${path}?${query.replace('T', token)}`;
      // A parameter behind a second question mark has another name.
      const expected = query.startsWith('a?') ? 200 : 400;
      for (const method of METHODS) {
        expect((await ask(target, { method, token })).status, `${method} ${query}`).toBe(expected);
      }
      const [status] = await verdictOn(`http://x${target}`, [`Authorization: Bearer ${token}`]);
      expect(status).toBe(expected);
    }
  });

  test.each(FORMS)('in the header and a form are refused just so', async (form) => {
    const chunk = (body: string) =>
      `Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
    for (const { path, token } of eachPathAndToken()) {
      const body = form.replace('T', token);
      for (const [type, framing] of [
        [FORM, lengthOf(body)],
        [`${FORM.toUpperCase()}; charset=utf-8`, chunk(body)],
      ] as const) {
        const lines = [`Content-Type: ${type}`, `Authorization: Bearer ${token}`];
        expect(await verdictOn(path, lines, body, framing)).toEqual(INVALID_REQUEST);
      }
    }
  });

  test('are one where the other is in a place from which none is taken', async () => {
    for (const { path, token } of eachPathAndToken()) {
      const lines = [`Content-Type: ${FORM}`];
      expect(await verdictOn(`${path}?access_token=${token}`, lines)).toEqual([401, REALM]);
      expect(await verdictOn(path, lines, `access_token=${token}`)).toEqual([401, REALM]);
    }
  });

  test('are not suspected in a query or a form that only speaks of tokens', async () => {
    const [path] = paths as [string];
    const [token] = tokens as [string];
    for (const query of ['q=access_token=1', 'access_tokens=1', 'Access_Token=1', 'x=access_token']) {
      expect((await ask(`${path}?${query}`, { token })).status).toBe(200);
      const lines = [`Content-Type: ${FORM}`, `Authorization: Bearer ${token}`];
      expect((await verdictOn(path, lines, query))[0]).toBe(200);
    }
  });
});

describe('the header', () => {
  test('is 200, 400 or 401 whatever is in it, and 200 only for a scheme, spaces, and a good token', async () => {
    const [path] = paths as [string];
    const good = new RegExp(`^bearer +(?:${tokens.join('|').replaceAll('.', '\\.')})$`, 'i');
    const fragment = fc.oneof(
      fc.constantFrom('Bearer', 'bearer', 'Basic', ' ', '  ', '\t', ',', ', ', '=', '"', ';', '.', '\u00ff'),
      fc.constantFrom(...tokens),
      fc.string({ unit: 'grapheme-ascii', maxLength: 5 }),
    );
    const value = fc.array(fragment, { maxLength: 6 }).map((fragments) => fragments.join(''));
    let accepted = 0;
    const check = async (authorization: string) => {
      const { status } = await ask(path, { headers: { authorization } });
      expect([200, 400, 401], authorization).toContain(status);
      // Node takes white space around a value away.
      expect(status === 200, authorization).toBe(good.test(authorization.replace(/^[ \t]+|[ \t]+$/g, '')));
      if (status === 200) accepted += 1;
    };
    await fc.assert(fc.asyncProperty(value, check), {
      numRuns: 300,
      examples: tokens.flatMap((token) => [
        [`Bearer ${token}`],
        [`Bearer   ${token}`],
        [`Bearer\t${token}`],
        [`Bearer ${token}\t`],
        [`Bearer ${token} x`],
        [`Bearer \t${token}`],
        ['Bearer'],
        [`Bearer "${token}"`],
        [`Bearer=${token}`],
      ]),
    });
    expect(accepted).toBeGreaterThan(0);
  });

  test('names the scheme in any case', async () => {
    const [path] = paths as [string];
    for (const token of tokens) {
      for (let mask = 0; mask < 64; mask += 1) {
        const scheme = [...'bearer'].map((letter, bit) =>
          mask & (1 << bit) ? letter.toUpperCase() : letter,
        );
        const headers = { authorization: `${scheme.join('')} ${token}` };
        expect((await ask(path, { headers })).status).toBe(200);
      }
    }
  });
});
