import { createClientAddress } from '@gatehouse/front';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { NO_LOG, serveHandler } from '../testing/index.ts';
import { jsonAnswer } from './answer.ts';
import { createRequestHandler } from './request-handler.ts';
import { MALFORMED_PATH, routedPath } from './request-target.ts';

it.each([
  ['/api/v1/me.json', '/api/v1/me.json'],
  ['/api/v1/me.json?x=/../#y', '/api/v1/me.json'],
  ['http://a.example/api/v1/me.json', '/api/v1/me.json'],
  ['https://user@a.example:1/b?c', '/b'],
  ['/a%2Fb', '/a%2Fb'],
  ['/1%00', '/1%00'],
  ['/%D9%A3', '/%D9%A3'],
  ['/a;b=c,d@e:f', '/a;b=c,d@e:f'],
  ['/', '/'],
  ['/?x=/../#y', '/'],
  ['http://a.example/', '/'],
])('%s is routed by %s', (target, path) => {
  expect(routedPath(target)).toBe(path);
});

const UNKNOWN = [
  '',
  '//',
  '///',
  '//-',
  '/.',
  '/./',
  '/..',
  '/./a/..',
  '/a/',
  '//a',
  '/a//b',
  '/./a',
  '/a/..',
  '/%61',
  '/%2e%2e/a',
  '/%7E',
  '/%5f',
  '*',
  'http://a',
  '?',
];
const MALFORMED = [
  '/%',
  '/%zz',
  '/a b',
  '/a\\b',
  '/ü',
  'a',
  'ftp://a/b',
  '/<',
  '/"',
  '/|',
  '/\u0000',
  '/%ff',
];

it.each([
  ...UNKNOWN.map((target) => [target, '//-']),
  ...MALFORMED.map((target) => [target, MALFORMED_PATH]),
])('%j is routed by no path of a route, but by %s', (target, path) => {
  expect(routedPath(target)).toBe(path);
});

it('a routed path is one that a URL parser would leave as it is', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.webPath(), fc.string({ unit: fc.constantFrom(...'/.%2eEfF61a?#\\') })),
      (text) => {
        const path = routedPath(`/${text}`);
        fc.pre(path !== MALFORMED_PATH);
        expect(new URL(`http://a.example${path}`).pathname).toBe(path);
        if (path !== '//-') expect(path).not.toMatch(/\/\/|.\/$|%61/);
      },
    ),
  );
});

it('no route is found for a path that none has, even if `/` and every other path were routes', async () => {
  const app = createRequestHandler(
    { log: NO_LOG, clientAddress: createClientAddress(undefined) },
    Object.fromEntries(
      ['/', '/:a', '/:a/:b', '/:a/:b/:c', '/-', '/-/:a', '/:a/-'].map((path) => [
        path,
        { GET: () => jsonAnswer(JSON.stringify(path)) },
      ]),
    ),
  );
  await using served = await serveHandler(app);
  const ask = async (target: string) => (await served.ask(target)).status;
  for (const target of UNKNOWN.filter((target) => target.length > 1 || target === '*'))
    expect([target, await ask(target)]).toEqual([target, 404]);
  for (const target of ['/', '/?a=/../', 'http://x/', '/b', '/b/c', '/-', '/-/d']) {
    expect([target, await ask(target)]).toEqual([target, 200]);
  }
});
