import { describe, expect, test } from 'vitest';
import { servePages } from '../../testing/serve-pages.ts';
import { prefersHtml } from '../http/unknown-address.ts';

/** Of Chrome and Safari; Firefox leaves the pictures out. */
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';

const PROBLEM = { type: 'urn:gatehouse:problem:not-found', title: expect.any(String), status: 404 };

/** Paths at which there is nothing, and what a browser is given there. */
const PAGES = [
  '/setting',
  '/settings/',
  '/settings/nothing',
  '/settings/api/',
  '/settings/api/x/y/z?a=b',
  '/sign-in/',
  '/nope',
  '/apis',
  '/settings/%61pi',
];

const DOCUMENTS = ['/api', '/api/', '/api/v1/nope', '/API/v1/me.json', '/api/v1/me.json/', '/api//v1?x'];

/** Spellings that a router or a proxy may turn into a path of the API, and addresses that programs ask for. */
const ODD = [
  '//',
  '//api/v1/me.json',
  '/%61pi/v1/me.json',
  '/./api',
  '/.well-known/nothing',
  '/assets/none.css',
];

describe('an address at which there is nothing', () => {
  test.each(PAGES)('is a page to a browser: %s', async (path) => {
    await using scene = await servePages();
    for (const method of ['GET', 'POST']) {
      const { status, headers, text } = await scene
        .visitor()
        .ask(path, { method, headers: { accept: BROWSER } });
      expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
      expect(text).toContain('<h1>Page not found</h1>');
      expect(text).toContain('href="/settings/api">To the API tokens</a>');
      expect(text).toContain(headers.get('x-request-id'));
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      // Neither of the two responses may be kept, so what they depend on need not be said.
      expect([headers.get('cache-control'), headers.has('vary')]).toEqual(['no-store', false]);
    }
    const head = await scene.visitor().ask(path, { method: 'HEAD', headers: { accept: BROWSER } });
    expect([head.status, head.text, head.headers.get('content-type')]).toEqual([
      404,
      '',
      'text/html; charset=utf-8',
    ]);
  });

  test.each([...DOCUMENTS, ...ODD])('of the API or of programs is a problem to all: %s', async (path) => {
    await using scene = await servePages();
    const { status, headers, text } = await scene.visitor().ask(path, { headers: { accept: BROWSER } });
    expect([status, headers.get('content-type')]).toEqual([404, 'application/problem+json']);
    expect(JSON.parse(text)).toEqual(PROBLEM);
  });

  test.each([
    ['a program', { method: 'GET', accept: '*/*' }],
    ['a program that reads JSON', { method: 'GET', accept: 'application/json, text/html' }],
    ['a preflight request', { method: 'OPTIONS', accept: BROWSER }],
    ['a method that no browser opens an address by', { method: 'DELETE', accept: BROWSER }],
  ])('is a problem to %s', async (_, { method, accept }) => {
    await using scene = await servePages();
    for (const path of PAGES) {
      const { status, headers, text } = await scene.visitor().ask(path, { method, headers: { accept } });
      expect([status, headers.get('content-type')]).toEqual([404, 'application/problem+json']);
      expect([headers.get('cache-control'), headers.has('content-security-policy')]).toEqual([
        'no-store',
        false,
      ]);
      expect(JSON.parse(text)).toEqual(PROBLEM);
    }
  });
});

describe('an Accept', () => {
  test.each([
    BROWSER,
    'text/html',
    'TEXT/HTML ; charset=utf-8',
    'application/json;q=0.9, text/html',
    'text/html, */*',
    'text/html;q=0.5, application/json;q=0.4, */*;q=0.1',
  ])('prefers a page: %s', (accept) => {
    expect(prefersHtml(accept)).toBe(true);
  });

  test.each([
    '',
    '*/*',
    'text/*',
    'application/json',
    'text/html, application/json',
    'text/html, application/problem+json',
    'text/html;q=0',
    'text/html;q=0.5, */*',
    'text/html;q=2',
    'text/html;q=',
    'xtext/html, text/htmlx',
    'application/json;a="text/html"',
  ])('prefers none: %s', (accept) => {
    expect(prefersHtml(accept)).toBe(false);
  });
});
