import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { none, recordFigures } from '@gatehouse/fault-figures';
import { Client } from 'pg';
import { expect, test } from 'vitest';
import { until } from '../stage/until.ts';
import { ADMINS, begin, LOG_OUT_PATH, movedTo, ORIGIN, openProviderSite } from './site.ts';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

/** Sends a request with any method and body. */
async function send(
  url: string,
  path: string,
  { method, headers = {}, body = '' }: { method: string; headers?: Record<string, string>; body?: string },
) {
  const asked = request(new URL(path, url), {
    method,
    agent: false,
    headers: { host: new URL(ORIGIN).host, ...headers },
  });
  const response = await new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
    asked.once('response', resolve).once('error', reject);
    asked.end(body);
  });
  return { status: response.statusCode ?? 0, text: await text(response) };
}

async function count(databaseUrl: string, table: string): Promise<number> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query(`select count(*)::int as rows from ${table}`);
  await client.end();
  return rows[0].rows;
}

test('of many requests with one answer, at two servers, one signs in; and no log has a secret', {
  timeout: 120_000,
}, async () => {
  await using site = await openProviderSite({ ACCESS_LOG: 'on' });
  const [first, second] = site.nodes;
  const before = site.visitorOf(first.url);
  const location = await begin(before);
  const back = await site.atProvider(location, 'ada', [ADMINS]);
  const browsers = Array.from({ length: 40 }, (_, index) =>
    movedTo(site.visitorOf(index % 2 ? first.url : second.url), before),
  );
  const answers = await Promise.all(browsers.map((browser) => browser.ask(back)));
  const signedIn = answers.filter(({ status }) => status === 200).length;
  recordFigures('I1', [none('sign-ins that a raced answer opened beside the first', signedIn - 1)]);
  expect([signedIn, answers.filter(({ status }) => status === 400).length]).toEqual([1, 39]);

  const metrics = await (await fetch(`${first.opsUrl}/metrics`)).text();
  const written = [...first.log, ...second.log, metrics].join('\n');
  const query = new URLSearchParams(back.slice(back.indexOf('?')));
  const secrets = [query.get('code'), query.get('state'), ...before.cookies.values()];
  expect(written).toContain('provider_sign_in');
  for (const secret of secrets) expect(secret && written.includes(secret)).toBe(false);
});

test('the endpoint of log-outs refuses what no provider sends', { timeout: 120_000 }, async () => {
  await using site = await openProviderSite();
  const [{ url, complaints }] = site.nodes;
  const token = await site.logOutToken('ada');
  const post = (body: string, headers = FORM) =>
    send(url, LOG_OUT_PATH, { method: 'POST', headers, body }).then(({ status }) => status);
  expect(await post(`logout_token=${token}`)).toBe(200);
  expect((await send(url, `${LOG_OUT_PATH}?logout_token=${token}`, { method: 'GET' })).status).toBe(405);
  expect(await post(`logout_token=${token}&logout_token=${token}`)).toBe(400);
  expect(await post(`logout_token=${'a'.repeat(100_000)}`)).toBe(400);
  expect(await post(JSON.stringify({ logout_token: token }), { 'content-type': 'application/json' })).toBe(
    400,
  );
  const [head = '', claims = '', signature = ''] = token.split('.');
  const edit = (changes: object) =>
    Buffer.from(
      JSON.stringify({ ...JSON.parse(`${Buffer.from(claims, 'base64url')}`), ...changes }),
    ).toString('base64url');
  const unsigned = Buffer.from('{"alg":"none","typ":"logout+jwt"}').toString('base64url');
  for (const forged of [
    `${head}.${edit({ sub: 'grace' })}.${signature}`,
    `${head}.${edit({ aud: 'other' })}.${signature}`,
    `${unsigned}.${claims}.`,
  ])
    expect(await post(`logout_token=${forged}`)).toBe(400);
  const since = performance.now();
  const flood = await Promise.all(Array.from({ length: 500 }, () => post('logout_token=a.b.c')));
  expect(new Set(flood)).toEqual(new Set([400]));
  expect(performance.now() - since).toBeLessThan(30_000);
  expect(complaints).toEqual([]);
});

test('two hundred people of an office click while the provider is away, and a password works there', {
  timeout: 120_000,
}, async () => {
  await using site = await openProviderSite();
  const [{ url, complaints }] = site.nodes;
  await site.goAway();
  const clicks = await Promise.all(
    Array.from({ length: 200 }, () => site.visitorOf(url).ask('/sign-in/with/acme')),
  );
  // A hundred are asked at once, and the others are told to wait.
  expect(new Set(clicks.map(({ status }) => status))).toEqual(new Set([502, 429]));
  const visitor = site.visitorOf(url);
  // A server remembers a refusal of an address for a second.
  const waitedMs = await until(
    'a password signs in',
    async () => (await visitor.signIn(site.database)).status === 303,
  );
  recordFigures('I1', [
    {
      name: 'until a password works after 200 clicks on a provider that is away',
      measured: `${Math.round(waitedMs)} ms`,
    },
    none('attempts that were kept for it', await count(site.database.url, 'sign_in_attempts')),
  ]);
  expect(waitedMs).toBeLessThan(5000);
  expect(await count(site.database.url, 'sign_in_attempts')).toBe(0);
  expect(complaints).toEqual([]);
});

test('a thousand begun sign-ins of one address keep as many rows as its limit', {
  timeout: 120_000,
}, async () => {
  await using site = await openProviderSite();
  const [{ url, complaints }] = site.nodes;
  const statuses: number[] = [];
  for (let asked = 0; asked < 1000; asked += 50) {
    const some = Array.from({ length: 50 }, () => send(url, '/sign-in/with/acme', { method: 'GET' }));
    statuses.push(...(await Promise.all(some)).map(({ status }) => status));
  }
  expect(statuses.filter((status) => status === 303)).toHaveLength(100);
  expect(await count(site.database.url, 'sign_in_attempts')).toBe(100);
  expect(complaints).toEqual([]);
});
