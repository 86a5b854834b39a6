import { describe, expect, test, vi } from 'vitest';
import { createClient } from './create-client.ts';
import { RequestFailed, UnexpectedAnswer } from './errors.ts';
import type { ClientOptions } from './options.ts';

const ORGANIZATION = { id: 42, name: 'Press shop', description: null };
const NOT_FOUND = { type: 'urn:gatehouse:problem:not-found', title: 'There is nothing here.', status: 404 };

function json(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}) {
  const type = status < 400 ? 'application/json' : 'application/problem+json';
  return new Response(JSON.stringify(body), { status, headers: { 'content-type': type, ...headers } });
}

/** A client whose server gives these answers, one after the other, and what it was sent. */
function serve(
  answers: readonly (() => Response | Promise<Response>)[],
  options: Partial<ClientOptions> = {},
) {
  const sent: { readonly url: string; readonly init: RequestInit }[] = [];
  const waits: number[] = [];
  const client = createClient({
    baseUrl: 'https://gatehouse.example/',
    token: 'secret',
    wait: async (milliseconds) => {
      waits.push(milliseconds);
    },
    fetch: async (url, init = {}) => {
      const answer = answers[sent.length];
      sent.push({ url: String(url), init });
      if (!answer) throw new Error('no answer is left');
      return answer();
    },
    ...options,
  });
  const headersOf = (index: number) => new Headers(sent[index]?.init.headers);
  return { client, sent, waits, headersOf };
}

describe('a call', () => {
  test('sends the token and nothing else that could identify, and gets the body of its status', async () => {
    const end = '2026-12-01T00:00:00.000Z';
    const { client, sent, headersOf } = serve([() => json(200, ORGANIZATION, { 'x-token-expires-at': end })]);
    const answer = await client.getOrg(42, { headers: { 'x-request-id': 'mine' } });
    if (answer.status !== 200) return expect.fail(`${answer.status}`);
    expect(answer.body.name).toBe('Press shop');
    expect(answer.tokenExpiresAt).toEqual(new Date(end));
    expect(sent[0]?.url).toBe('https://gatehouse.example/api/v1/orgs/42');
    expect(sent[0]?.init).toMatchObject({ method: 'GET', credentials: 'omit', redirect: 'manual' });
    expect(Object.fromEntries(headersOf(0))).toEqual({
      accept: 'application/json',
      authorization: 'Bearer secret',
      'x-request-id': 'mine',
    });
  });

  test('resolves with a problem, told apart by its status and type', async () => {
    const { client } = serve([() => json(404, NOT_FOUND)]);
    const answer = await client.getOrg('a/b?c');
    if (answer.status !== 404) return expect.fail(`${answer.status}`);
    expect(answer.body.type satisfies 'urn:gatehouse:problem:not-found').toBe(NOT_FOUND.type);
  });

  test('spells what is no part of a path', async () => {
    const { client, sent } = serve([() => json(404, NOT_FOUND)], {
      baseUrl: 'http://localhost:8080/proxied//',
    });
    await client.getOrg('../a b');
    expect(sent[0]?.url).toBe('http://localhost:8080/proxied/api/v1/orgs/..%2Fa%20b');
  });

  test('asks for the token each time', async () => {
    const token = vi.fn<() => Promise<string>>().mockResolvedValueOnce('one').mockResolvedValueOnce('two');
    const { client, headersOf } = serve([() => json(200, {}), () => json(200, {})], { token });
    await client.me();
    await client.getMe();
    expect([0, 1].map((index) => headersOf(index).get('authorization'))).toEqual([
      'Bearer one',
      'Bearer two',
    ]);
  });

  test('signs in with a body and without a token', async () => {
    const end = '2026-12-01T00:00:00.000Z';
    const { client, sent, headersOf } = serve([
      () => json(200, { token: 't' }, { 'x-token-expires-at': end }),
    ]);
    const answer = await client.signIn({ email: 'ada@acme.example', password: 'x' });
    if (answer.status !== 200) return expect.fail(`${answer.status}`);
    expect([answer.body.token, answer.tokenExpiresAt]).toEqual(['t', new Date(end)]);
    expect(sent[0]?.init).toMatchObject({
      method: 'POST',
      body: '{"email":"ada@acme.example","password":"x"}',
    });
    expect(headersOf(0).has('authorization')).toBe(false);
  });

  test('gets an answer without a body', async () => {
    const { client } = serve([() => new Response(null, { status: 304 })]);
    expect(await client.getOrg(42, { headers: { 'if-none-match': '"1"' } })).toMatchObject({
      status: 304,
      body: undefined,
      tokenExpiresAt: undefined,
    });
  });
});

describe('a token that expires soon', () => {
  const DAY_MS = 86_400_000;
  let tokens = 0;
  /** Calls with a token of its own, whose answers say that it ends after these numbers of days. */
  async function call(daysLeft: readonly (number | undefined)[], options: Partial<ClientOptions> = {}) {
    const ends = daysLeft.map((days) => days && new Date(Date.now() + days * DAY_MS).toISOString());
    tokens += 1;
    const answers = ends.map(
      (end) => () => json(200, ORGANIZATION, end ? { 'x-token-expires-at': end } : {}),
    );
    const { client } = serve(answers, {
      token: `v4.public.${`${tokens}`.padStart(86, '0')}.footer-of-all-tokens-of-a-key`,
      ...options,
    });
    for (const _ of answers) expect((await client.getOrg(42)).status).toBe(200);
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
    return ends;
  }

  test('is told once, with its expiry, and not before its last 14 days', async () => {
    const onExpiresSoon = vi.fn();
    await call([undefined, 15], { onExpiresSoon });
    expect(onExpiresSoon).not.toHaveBeenCalled();
    const [end = ''] = await call([13.9, 13.8, 1], { onExpiresSoon });
    expect(onExpiresSoon.mock.calls).toEqual([[{ expiresAt: new Date(end) }]]);
    await call([2], { onExpiresSoon });
    expect(onExpiresSoon).toHaveBeenCalledTimes(2);
  });

  test('is told once in a process, also by two clients', async () => {
    const onExpiresSoon = vi.fn();
    const token = 'a token of two clients';
    await call([2], { onExpiresSoon, token });
    await call([2], { onExpiresSoon, token });
    expect(onExpiresSoon).toHaveBeenCalledTimes(1);
  });

  test('is told without a delay, and an error of the callback has no effect', async () => {
    const failing = () => {
      throw new Error('of the callback');
    };
    await call([2], { onExpiresSoon: failing });
    await call([2], { onExpiresSoon: async () => failing() });
    await call([2], { onExpiresSoon: () => new Promise(() => undefined) });
  });

  test('prints nothing', async () => {
    const printed = (['log', 'info', 'warn', 'error'] as const).map((name) => vi.spyOn(console, name));
    await call([2]);
    await call([2], { onExpiresSoon: () => undefined });
    for (const print of printed) expect(print).not.toHaveBeenCalled();
  });
});

test.each(['a', 7, null, undefined])(
  'parameters that have names are passed in an object, and not as %j',
  async (given) => {
    const { client, sent } = serve([() => json(200, { data: [], next_cursor: null })]);
    const failed = await client.listOrgs(given as never).catch((error: unknown) => error);
    expect(`${failed}`).toContain('pass an object with limit, cursor');
    expect(sent).toEqual([]);
  },
);

describe('a parameter of the path', () => {
  const BASES = ['https://gatehouse.example', 'http://localhost:8080/proxied/', 'https://[::1]/a/b//'];

  test.each([
    '',
    '.',
    '..',
    '%2e',
    '%2E',
    '.%2e',
    '%2e.',
    '%2E%2e',
    '%2e%2E',
    '\ud800',
    undefined,
    null,
    {},
    [],
  ])('that would lead to another path is refused, and no token is asked for: %j', async (id) => {
    for (const baseUrl of BASES) {
      const token = vi.fn(() => 'secret');
      const { client, sent } = serve([() => json(200, ORGANIZATION)], { baseUrl, token });
      const failed = await client.getOrg(id as string).catch((error: unknown) => error);
      expect(failed).toBeInstanceOf(TypeError);
      expect(`${failed}`).toContain('id is part of a path, so it must be');
      expect([sent, token.mock.calls]).toEqual([[], []]);
    }
  });

  test('leads nowhere else, whatever it is: its request has the operation’s path, as fetch understands it', async () => {
    const parts = [
      '.',
      '..',
      '%2e',
      '%',
      '%2F',
      '/',
      '\\',
      '?',
      '#',
      ';',
      ':',
      '@',
      ' ',
      '\t',
      '\n',
      '\r',
      '\0',
      'é',
      'a',
      '\ufeff',
    ];
    const texts = parts.flatMap((one) => parts.flatMap((two) => parts.map((three) => one + two + three)));
    for (const baseUrl of BASES) {
      const prefix = `${new URL(baseUrl).href.replace(/\/+$/, '')}/api/v1/orgs/`;
      const { client, sent } = serve(
        texts.map(() => () => json(200, ORGANIZATION)),
        { baseUrl },
      );
      for (const text of texts) await client.getOrg(text);
      for (const [index, { url }] of sent.entries()) {
        const { href, search, hash } = new URL(url);
        expect(href).toBe(url);
        expect(href.startsWith(prefix)).toBe(true);
        expect(decodeURIComponent(href.slice(prefix.length))).toBe(texts[index]);
        expect([href.slice(prefix.length).includes('/'), search, hash]).toEqual([false, '', '']);
      }
      expect(sent).toHaveLength(texts.length);
    }
  });
});

test.each(['https://gatehouse.example/?', 'https://gatehouse.example/#', 'https://gatehouse.example?#'])(
  'a base URL with nothing in its query or fragment is the same without them: %s',
  async (baseUrl) => {
    const { client, sent } = serve([() => json(200, ORGANIZATION)], { baseUrl });
    await client.getOrg(42);
    expect(sent[0]?.url).toBe('https://gatehouse.example/api/v1/orgs/42');
  },
);

describe('a request that was not carried out', () => {
  const busy =
    (seconds: string, status = 503) =>
    () =>
      json(status, {}, { 'retry-after': seconds });

  test('is sent again as the answer says, and not for ever', async () => {
    const { client, sent, waits } = serve([busy('1'), busy('2'), busy('3'), busy('4')]);
    expect((await client.getOrg(42)).status).toBe(503);
    expect([sent.length, waits]).toEqual([3, [1000, 2000]]);
  });

  test('gets the answer of the next try', async () => {
    const { client } = serve([busy('1'), () => json(200, ORGANIZATION)]);
    expect((await client.getOrg(42)).status).toBe(200);
  });

  test.each([
    ['a sign-in', () => serve([busy('1')]), {}],
    ['one that should wait longer than the call may take', () => serve([busy('31')]), {}],
    ['one that is not told when', () => serve([() => json(503, {})]), {}],
    ['one of a client without retries', () => serve([busy('1')], { retries: 0 }), {}],
  ])('is not sent again: %s', async (name, start) => {
    const { client, sent } = start();
    const answer =
      name === 'a sign-in' ? await client.signIn({ email: 'a', password: 'b' }) : await client.getOrg(1);
    expect([answer.status, sent.length]).toEqual([503, 1]);
  });

  test('is sent again if it is a sign-in and the caller says so', async () => {
    const { client, waits } = serve([busy('2', 429), () => json(200, { token: 't' })]);
    const answer = await client.signIn({ email: 'a', password: 'b' }, { retryUnsafe: true });
    expect([answer.status, waits]).toEqual([200, [2000]]);
  });
});

describe('a call rejects', () => {
  test('if no answer comes, with what went wrong', async () => {
    const cause = new TypeError('fetch failed');
    const { client } = serve([() => Promise.reject(cause)]);
    const failed = await client.getOrg(1).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(RequestFailed);
    expect(failed).toMatchObject({ message: 'getOrg got no answer', cause });
  });

  test.each([
    ['of a status that the API does not give', () => json(502, {})],
    [
      'that is no JSON',
      () => new Response('<html>', { status: 200, headers: { 'content-type': 'text/html' } }),
    ],
    ['that is broken', () => new Response('{', { headers: { 'content-type': 'application/json' } })],
    ['that leads elsewhere', () => new Response(null, { status: 302, headers: { location: 'https://x' } })],
  ])('if the answer is one %s', async (_, answer) => {
    const { client } = serve([answer]);
    await expect(client.getOrg(1)).rejects.toThrow(UnexpectedAnswer);
  });

  test('with the reason of the caller’s signal, also while it waits', async () => {
    const controller = new AbortController();
    const reason = new Error('not needed any more');
    const { client } = serve([() => json(503, {}, { 'retry-after': '1' })], {
      wait: (_, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
          controller.abort(reason);
        }),
    });
    await expect(client.getOrg(1, { signal: controller.signal })).rejects.toBe(reason);
  });

  test('with what the function for the token throws, as it is', async () => {
    const sealed = new Error('the vault is sealed');
    const { client, sent } = serve([], { token: () => Promise.reject(sealed) });
    await expect(client.me()).rejects.toBe(sealed);
    expect(sent).toEqual([]);
  });

  test('with the reason of the caller’s signal while the function for the token does not end', async () => {
    const controller = new AbortController();
    const reason = new Error('not needed any more');
    const { client } = serve([], {
      token() {
        queueMicrotask(() => controller.abort(reason));
        return new Promise(() => undefined);
      },
    });
    await expect(client.me({ signal: controller.signal })).rejects.toBe(reason);
  });

  test('when the time is over', async () => {
    const { client } = serve([() => Promise.reject(new Error('aborted'))], { timeoutMs: 5000 });
    vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(AbortSignal.abort());
    await expect(client.getOrg(1)).rejects.toThrow('getOrg took longer than 5000 ms');
  });
});

test.each([
  [{ baseUrl: 'gatehouse.example' }, 'baseUrl must be an http(s) URL such as https://gatehouse.example'],
  [{ baseUrl: 'ftp://gatehouse.example' }, 'baseUrl must be an http(s) URL'],
  [{ baseUrl: 'https://gatehouse.example/?a' }, 'no query'],
  [{ baseUrl: 'https://gatehouse.example', timeoutMs: 0 }, 'timeoutMs must be'],
  [{ baseUrl: 'https://gatehouse.example', retries: -1 }, 'retries must be'],
])('a client is not made of %j', (options, message) => {
  expect(() => createClient(options)).toThrow(message);
});
