import { apiToken, GOOD, PASSWORD } from '@gatehouse/domain/testing';
import { sendRaw } from '@gatehouse/front/testing';
import { ANY_PAGES, pagesAbout } from '@gatehouse/pages/testing';
import { describe, expect, test } from 'vitest';
import { call } from '../../testing/client.ts';
import { startTestServer } from '../../testing/start-test-server.ts';

const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
};

/** A request for a page at the address of a public site, written by hand: a client would set its own host. */
async function askPublic(url: string, path: string, host = 'gatehouse.example', more = '', method = 'GET') {
  const [reply] = await sendRaw(
    url,
    `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${more}\r\n`,
  );
  return reply ?? expect.fail('no response');
}

const servePublic = (origin: string) =>
  startTestServer({ ports: { publicUrl: origin, corsOrigins: ['https://app.example'] } });

describe('every response of a page', () => {
  test('has the headers that keep it to itself, whatever its status', async () => {
    await using scene = await startTestServer();
    const { world, people } = scene;
    const { record: token } = await apiToken(world, people.admin);
    // The stream of a token that was used ends at once.
    world.usage.used(token.id, world.clock.now(), '10.0.0.5');
    await world.usage.flush();
    const visitor = await scene.signedIn();
    for (const path of [...pagesAbout(token.id), ...ANY_PAGES]) {
      for (const [method, headers] of [
        ['GET', {}],
        ['HEAD', {}],
        ['PUT', {}],
        ['POST', {}],
        ['POST', { origin: scene.url }],
        ['GET', { 'x-forwarded-for': '192.0.2.1' }],
      ] as const) {
        for (const asked of [visitor, scene.visitor()]) {
          const response = await asked.ask(path, { method, headers });
          const found = Object.fromEntries(
            Object.keys(HEADERS).map((name) => [name, response.headers.get(name)]),
          );
          expect([path, method, response.status, found]).toEqual([path, method, response.status, HEADERS]);
          expect(response.headers.has('strict-transport-security')).toBe(false);
          expect(response.text).not.toMatch(
            /<script(?![^>]* src="\/assets\/)|<style|\son\w+=|\sstyle=|javascript:/i,
          );
        }
      }
    }
  });

  test('under an https PUBLIC_URL asks browsers to stay with https, and under a plain one does not', async () => {
    await using secure = await servePublic('https://gatehouse.example');
    await using plain = await servePublic('http://gatehouse.example');
    for (const path of ANY_PAGES) {
      const headers = (await askPublic(secure.url, path)).headers;
      expect(headers.get('strict-transport-security')).toBe('max-age=31536000');
      expect((await askPublic(plain.url, path)).headers.has('strict-transport-security')).toBe(false);
    }
    const cookie = (await askPublic(secure.url, '/sign-in')).headers.get('set-cookie');
    expect(cookie).toMatch(/^__Host-gatehouse-visit=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure$/);
  });

  test('has no CORS headers, whatever origins may call the API', async () => {
    await using scene = await servePublic('https://gatehouse.example');
    const origin = 'Origin: https://app.example\r\n';
    for (const path of [...ANY_PAGES, '/assets/style-000000000000.css']) {
      for (const [method, more] of [
        ['GET', origin],
        ['OPTIONS', `${origin}Access-Control-Request-Method: POST\r\n`],
      ] as const) {
        const names = [...(await askPublic(scene.url, path, undefined, more, method)).headers.keys()];
        expect(names.filter((name) => name.startsWith('access-control') || name === 'vary')).toEqual([]);
      }
    }
    expect((await askPublic(scene.url, '/openapi.json', undefined, origin)).headers.has('vary')).toBe(true);
  });

  test('has one h1, a title that says where one is, and a skip link to what it is about', async () => {
    await using scene = await startTestServer();
    const { record: token } = await apiToken(scene.world, scene.people.admin);
    const pages = [await scene.visitor().get('/sign-in')];
    for (const path of pagesAbout(token.id)) {
      if (!path.endsWith('/first-use')) pages.push(await (await scene.signedIn()).get(path));
    }
    for (const page of pages) {
      expect(page.html.match(/<h1>/g)?.length).toBe(1);
      expect(page.title).toBe(`${page.heading} — Gatehouse`);
      expect([page.links[0]?.href, page.html.match(/id="content"/g)?.length]).toEqual(['#content', 1]);
      expect(page.html).toMatch(/^<!doctype html>\n<html lang="en">/);
    }
  });
});

describe('pages are shown', () => {
  test('without PUBLIC_URL only to a browser on the same machine, and else name the setting', async () => {
    await using scene = await startTestServer();
    const port = new URL(scene.url).port;
    expect((await askPublic(scene.url, '/', `localhost:${port}`)).status).toBe(200);
    for (const [host, more] of [
      [`localhost:${port}`, 'Via: 1.1 proxy\r\n'],
      ['gatehouse.example', ''],
      [`rebound.example:${port}`, ''],
      ['localhost', ''],
    ] as const) {
      for (const path of ANY_PAGES) {
        const { status, body } = await askPublic(scene.url, path, host, more);
        expect([status, body.includes('PUBLIC_URL=https://gatehouse.example')]).toEqual([403, true]);
      }
    }
  });

  test('without PUBLIC_URL no browser signs in by way of a proxy that asks as a local browser does', async () => {
    await using scene = await startTestServer();
    const visitor = scene.visitor();
    const sent = (await visitor.get('/sign-in')).fill('Sign in', { Email: GOOD.email, Password: PASSWORD });
    for (const origin of ['http://gatehouse.example', 'https://gatehouse.example', 'null']) {
      const page = await visitor.post('/sign-in', sent, { origin });
      expect([page.status, page.text.includes('set PUBLIC_URL')]).toEqual([400, true]);
    }
    expect(visitor.cookies.has('gatehouse')).toBe(false);
    expect((await visitor.post('/sign-in', sent)).status).toBe(200);
    expect(visitor.cookies.has('gatehouse')).toBe(true);
  });

  test('with PUBLIC_URL only where browsers ask for it', async () => {
    await using scene = await servePublic('https://gatehouse.example');
    expect((await askPublic(scene.url, '/sign-in')).status).toBe(200);
    for (const host of ['evil.example', 'localhost', 'gatehouse.example:8080']) {
      const reply = await askPublic(scene.url, '/sign-in', host, 'X-Forwarded-Host: gatehouse.example\r\n');
      expect([reply.status, reply.body.includes('<code>PUBLIC_URL</code>')]).toEqual([421, true]);
      expect(reply.headers.has('set-cookie')).toBe(false);
    }
  });

  test('and without them there is nothing at their paths', async () => {
    await using scene = await startTestServer({ ports: { pages: undefined } });
    for (const path of [...ANY_PAGES, '/assets/style-000000000000.css']) {
      const { status, headers } = await call(scene.url, path);
      expect([status, headers.get('content-type')]).toEqual([404, 'application/problem+json']);
    }
  });
});

test('the responses of the API are as without pages', async () => {
  await using on = await startTestServer();
  await using off = await startTestServer({ ports: { pages: undefined } });
  const ofApi = ['/api/v1/me.json', '/api/v1/nope', '/openapi.json', '//'];
  for (const [path, accept] of [
    ...ofApi.map((path) => [path, 'text/html'] as const),
    ...[...ofApi, '/setting/', '/setting', '/nope', '/assets'].map((path) => [path, '*/*'] as const),
  ]) {
    const headers = { 'x-request-id': 'same', accept };
    for (const method of ['GET', 'POST', 'OPTIONS']) {
      const [a, b] = [
        await call(on.url, path, { method, headers }),
        await call(off.url, path, { method, headers }),
      ];
      const parts = (reply: typeof a) => [
        reply.status,
        [...reply.headers].filter(([name]) => name !== 'date'),
        reply.text,
      ];
      expect([path, method, parts(a)]).toEqual([path, method, parts(b)]);
    }
  }
});

describe('an asset', () => {
  test('is kept for good under the hash of what it holds, and under another hash not at all', async () => {
    await using scene = await startTestServer();
    const page = await scene.visitor().get('/');
    const paths = [...page.html.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, path]) => path ?? '');
    expect(paths.length).toBe(2);
    for (const path of paths) {
      const { status, headers, text } = await call(scene.url, path);
      expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable']);
      expect(headers.get('content-type')).toMatch(/^text\/css|^image\/svg/);
      const other = await call(scene.url, path.replace(/-[0-9a-f]{12}/, '-000000000000'));
      expect([other.status, other.headers.get('cache-control'), other.text]).toEqual([200, 'no-store', text]);
    }
    for (const path of [
      '/assets/x.css',
      '/assets/style.js',
      '/assets/..%2Fassets.ts',
      '/assets/style.css.map',
    ]) {
      expect((await call(scene.url, path)).status).toBe(404);
    }
  });

  test('is small: with it a page is far below 40 kB', async () => {
    await using scene = await startTestServer();
    const page = await (await scene.signedIn()).get('/settings/password');
    const path = /"(\/assets\/style[^"]+)"/.exec(page.html)?.[1] ?? '';
    expect(page.html.length + (await call(scene.url, path)).text.length).toBeLessThan(20_000);
  });
});
