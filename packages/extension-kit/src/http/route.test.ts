import { READ_ORGANIZATION } from '@gatehouse/domain/access';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { outcomesOf } from './outcomes.ts';
import { defineRoute, type Route } from './route.ts';

const UNSAID = {
  operationId: 'get',
  method: 'GET',
  path: '/a/{b}/c/{d}',
  tag: 'A',
  summary: 'Get',
  success: { status: 200, description: 'It.', body: z.string(), cacheControl: 'no-store' },
} as const;
const ROUTE = { ...UNSAID, public: true } as const satisfies Route;

test.each([[{}], [{ b: z.string() }], [{ b: z.string(), d: z.string(), e: z.string() }]])(
  'a route has the parameters of its path: %#',
  (params) => {
    expect(() => defineRoute({ ...ROUTE, params })).toThrow('get: /a/{b}/c/{d}');
    expect(defineRoute({ ...ROUTE, params: { d: z.string(), b: z.string() } })).toMatchObject(ROUTE);
  },
);

test.each([
  ['ETag', 'get: the server sends ETag itself'],
  ['content-type', 'get: the server sends content-type itself'],
  ['Access-Control-Allow-Origin', 'get: the server sends Access-Control-Allow-Origin itself'],
  ['A header', 'get: A header is not a valid name of a header field'],
  ['', 'get:  is not a valid name of a header field'],
])('a route cannot describe the header field %j', (name, refusal) => {
  const success = { ...ROUTE.success, headers: { [name]: { description: 'It.' } } };
  expect(() => defineRoute({ ...ROUTE, path: '/a', success })).toThrow(refusal);
});

test('a route that authenticates its caller leaves the end of the token to the server', () => {
  const headers = { 'X-Token-Expires-At': { description: 'When it ends.' } };
  const route = { ...UNSAID, path: '/a', success: { ...ROUTE.success, headers } } as const;
  const open = { ...route, public: true } as const;
  expect(defineRoute(open)).toBe(open);
  expect(() => defineRoute({ ...route, rule: READ_ORGANIZATION })).toThrow('sends X-Token-Expires-At itself');
});

test('a route has a rule or says that it is public, and not both', () => {
  const route = { ...UNSAID, path: '/a' } as const;
  for (const access of [{ rule: READ_ORGANIZATION }, { public: true }] as const) {
    expect(defineRoute({ ...route, ...access })).toMatchObject(access);
  }
  // It says neither, like packages from before `public` was required, which are still loaded.
  // @ts-expect-error
  expect(defineRoute(route)).toBe(route);
  // Its rule is missing, for example because another module no longer exports it.
  // @ts-expect-error
  defineRoute({ ...route, rule: undefined });
  // It says that it is not public, without a rule.
  // @ts-expect-error
  expect(() => defineRoute({ ...route, public: false })).toThrow('get: public must be true, or left out');
  // It says both.
  // @ts-expect-error
  expect(() => defineRoute({ ...route, public: true, rule: READ_ORGANIZATION })).toThrow(
    'get has a rule, and cannot be public',
  );
});

test('the outcomes of a route follow from its members', () => {
  const constant: Route = { ...ROUTE, constant: true };
  expect([...outcomesOf(constant).keys()]).toEqual([200, 400, 408, 431]);
  expect([...outcomesOf(ROUTE).keys()]).toEqual([200, 400, 408, 431, 500, 503]);
  const reading: Route = { ...UNSAID, rule: READ_ORGANIZATION, success: { ...ROUTE.success, etag: true } };
  expect([...outcomesOf(reading).keys()]).toEqual([200, 304, 400, 401, 403, 408, 431, 500, 503]);
  const writing: Route = { ...ROUTE, body: z.object({}), query: {}, problems: ['not_found', 'overloaded'] };
  expect(outcomesOf(writing)).toEqual(
    new Map([
      [200, []],
      [400, ['malformed_request', 'malformed_body']],
      [404, ['not_found']],
      [408, ['request_timeout']],
      [413, ['body_too_large']],
      [415, ['unsupported_media_type']],
      [422, ['invalid_input', 'invalid_query']],
      [431, ['headers_too_large']],
      [500, ['internal_error']],
      [503, ['unavailable', 'overloaded']],
    ]),
  );
});
