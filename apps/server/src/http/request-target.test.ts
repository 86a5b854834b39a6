import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MALFORMED_TARGET, routedPath } from './request-target.ts';

describe('the path by which a request is routed', () => {
  it.each([
    ['/api/v1/me.json', '/api/v1/me.json'],
    ['/api/v1/me.json?x=/../#y', '/api/v1/me.json'],
    ['http://a.example/api/v1/me.json', '/api/v1/me.json'],
    ['https://user@a.example:1/b?c', '/b'],
    ['/a%2Fb', '/a%2Fb'],
    ['/1%00', '/1%00'],
    ['/%D9%A3', '/%D9%A3'],
    ['/a;b=c,d@e:f', '/a;b=c,d@e:f'],
  ])('of %s is %s', (target, path) => {
    expect(routedPath(target)).toBe(path);
  });

  it.each([
    '/',
    '//',
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
  ])('of %s is none that a route has', (target) => {
    expect(routedPath(target)).toBe('/');
  });

  it.each(['/%', '/%zz', '/a b', '/a\\b', '/ü', 'a', 'ftp://a/b', '/<', '/\u0000'])(
    'of %j is malformed',
    (target) => {
      expect(routedPath(target)).toBe(MALFORMED_TARGET);
    },
  );

  it('is one that a URL parser would leave as it is', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.webPath(), fc.string({ unit: fc.constantFrom(...'/.%2eEfF61a?#\\') })),
        (text) => {
          const path = routedPath(`/${text}`);
          fc.pre(path !== MALFORMED_TARGET);
          expect(new URL(`http://a.example${path}`).pathname).toBe(path);
          expect(path).not.toMatch(/\/\/|.\/$|%61/);
        },
      ),
    );
  });
});
