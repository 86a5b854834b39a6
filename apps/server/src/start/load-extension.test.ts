import { ok } from '@gatehouse/domain';
import { READ_ORGANIZATION } from '@gatehouse/domain/access';
import { defineRefusals, type Extension } from '@gatehouse/extension-kit';
import { handleRoute, type Route } from '@gatehouse/extension-kit/http';
import type { ExtensionUseCasePorts } from '@gatehouse/installation';
import { OPEN, RULED, UNSAID } from '@gatehouse/installation/testing';
import { shiftNotes } from '@gatehouse/shift-notes';
import { expect, test, vi } from 'vitest';
import { checkServed, loadServedExtensions, warnOfOpenRoutes } from './load-extension.ts';

test.each(['not_found', 'token_name_taken', 'internal_error'])(
  'an extension with the refusal %s does not let a server start',
  async (code) => {
    const refusals = defineRefusals({ [code]: { status: 409, title: 'It is taken.', exit: 'conflict' } });
    await expect(loadServedExtensions([{ ...shiftNotes, refusals }])).rejects.toThrow(
      `Gatehouse and shift-notes have the same refusal: ${code}`,
    );
    expect(await loadServedExtensions([shiftNotes])).toHaveLength(1);
  },
);

test('a route that was packed without a rule is loaded, and told of', async () => {
  const warn = vi.fn();
  warnOfOpenRoutes(await loadServedExtensions([shiftNotes]), { warn });
  expect(warn).not.toHaveBeenCalled();

  const { routes, ...layer } = (await shiftNotes.http?.()) ?? expect.fail();
  const unsaid = routes.map(({ rule: _, ...route }) => route as Route);
  const extension = { ...shiftNotes, http: async () => ({ ...layer, routes: unsaid }) } as Extension;
  const loaded = await loadServedExtensions([extension]);
  warnOfOpenRoutes(loaded, { warn });
  expect(warn.mock.calls).toEqual(
    unsaid.map(({ method, path }) => [
      { extension: 'shift-notes', route: `${method} ${path}` },
      'everyone can call this route: add a `rule` or `public: true` to it in the extension',
    ]),
  );
});

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
    http: async () => ({ routes: [OPEN], serve: () => serving(RULED) }),
    // The compiler refuses a route that is not listed; a package may serve one all the same.
  } as unknown as Extension;
  const [loaded] = await loadServedExtensions([secret]);
  const start = () => loaded?.createRoutes({ database: DATABASE } as ExtensionUseCasePorts);
  expect(start).toThrow('the extension visits serves GET /api/v1/visits with another `rule`');
});
