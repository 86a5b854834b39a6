import { ok } from '@gatehouse/domain';
import { READ_ORGANIZATION } from '@gatehouse/domain/access';
import type { Extension } from '@gatehouse/extension-kit';
import { handleRoute, type Route } from '@gatehouse/extension-kit/http';
import type { ExtensionUseCasePorts } from '@gatehouse/installation';
import { OPEN, RULED, UNSAID } from '@gatehouse/installation/testing';
import { expect, test } from 'vitest';
import { checkServed } from './check-served.ts';
import { loadServedExtensions } from './load-extension.ts';

/** Gives an extension a share of the database, which it does not use here. */
const DATABASE = { openShare: () => ({}) } as unknown as ExtensionUseCasePorts['database'];

const serving = (route: Route) => [
  handleRoute(route as typeof RULED, { handle: () => ok(7), toBody: (value) => value }),
];

test('an extension serves what it lists', () => {
  for (const route of [RULED, OPEN, UNSAID]) checkServed('visits', [route], serving(route));
  checkServed('visits', [RULED, { ...RULED, method: 'POST' }], serving({ ...RULED }));
});

test.each<[string, readonly Route[], Route]>([
  ['nothing', [], RULED],
  ['another path', [{ ...OPEN, path: '/api/v1/visit' }], OPEN],
  ['another method', [{ ...OPEN, method: 'POST' }], OPEN],
])('a route is refused where %s is listed', (_, listed, served) => {
  const refusal = 'the extension visits serves GET /api/v1/visits, which its `routes` do not list';
  expect(() => checkServed('visits', listed, serving(served))).toThrow(refusal);
});

test.each<[string, Route, Route]>([
  ['without the rule', RULED, UNSAID],
  ['as a public one', RULED, OPEN],
  ['without a word of being public', OPEN, UNSAID],
  ['with another rule', RULED, { ...RULED, rule: READ_ORGANIZATION }],
])('a listed route is refused that is served %s', (_, listed, served) => {
  expect(() => checkServed('visits', [listed], serving(served))).toThrow(
    'GET /api/v1/visits with another `rule` or `public` than its `routes` say',
  );
});

test('an extension that serves a route in secret does not let a server start', async () => {
  const secret = {
    name: 'visits',
    domain: async () => ({ createUseCases: () => ({}) }),
    postgres: async () => ({ migrations: [], createStore: () => ({}) }),
    // The compiler refuses a route that is not listed; a package may serve one all the same.
    http: async () => ({ routes: [OPEN], serve: () => serving(RULED) }),
  } as unknown as Extension;
  const [loaded] = await loadServedExtensions([secret]);
  const start = () => loaded?.createRoutes({ database: DATABASE } as ExtensionUseCasePorts);
  expect(start).toThrow('the extension visits serves GET /api/v1/visits with another `rule`');
});
