import { READ_ORGANIZATION } from '@gatehouse/domain/access';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { outcomesOf } from './outcomes.ts';
import { defineRoute, type Route } from './route.ts';

const ROUTE = {
  operationId: 'get',
  method: 'GET',
  path: '/a/{b}/c/{d}',
  tag: 'A',
  summary: 'Get',
  success: { status: 200, description: 'It.', body: z.string(), cacheControl: 'no-store' },
} as const satisfies Route;

test.each([[{}], [{ b: z.string() }], [{ b: z.string(), d: z.string(), e: z.string() }]])(
  'a route has the parameters of its path: %#',
  (params) => {
    expect(() => defineRoute({ ...ROUTE, params })).toThrow('get: /a/{b}/c/{d}');
    expect(defineRoute({ ...ROUTE, params: { d: z.string(), b: z.string() } })).toMatchObject(ROUTE);
  },
);

test('the outcomes of a route follow from its members', () => {
  const constant: Route = { ...ROUTE, constant: true };
  expect([...outcomesOf(constant).keys()]).toEqual([200, 400, 408, 431]);
  expect([...outcomesOf(ROUTE).keys()]).toEqual([200, 400, 408, 431, 500, 503]);
  const reading: Route = { ...ROUTE, rule: READ_ORGANIZATION, success: { ...ROUTE.success, etag: true } };
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
