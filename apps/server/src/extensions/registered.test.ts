import { createWorld } from '@gatehouse/domain/testing';
import { problemsOf, type Route } from '@gatehouse/extension-kit/http';
import { describe, expect, test } from 'vitest';
import { call } from '../../testing/client.ts';
import { factsOf } from '../../testing/example-facts.ts';
import { routesOf } from '../../testing/examples.ts';
import { REGISTERED, REGISTERED_CATALOG } from '../../testing/registered.ts';
import { startTestServer } from '../../testing/start-test-server.ts';

interface ServedDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>;
}

test('every route is an operation of the served document, and every operation a route', async () => {
  await using scene = await startTestServer();
  const { paths } = (await call(scene.url, '/openapi.json')).json as ServedDocument;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => `${method} ${path} ${operationId}`),
  );
  const routes = routesOf(await factsOf(scene)).map(
    ({ method, path, operationId }) => `${method.toLowerCase()} ${path} ${operationId}`,
  );
  expect(operations.toSorted()).toEqual(routes.toSorted());
});

const idsOf = (routes: readonly Route[]) => routes.map(({ operationId }) => operationId).toSorted();

/** The names of its problems and refusals. Each has an example of its own. */
const ownOutcomesOf = ({ problems = [], refusals = [] }: Route) => [
  'success',
  ...problems,
  ...refusals.map(({ code }) => code),
];

describe.each(REGISTERED)('the extension $name', (extension) => {
  async function load() {
    const world = await createWorld();
    const [domain, http, testing] = await Promise.all([
      extension.domain(),
      extension.http?.(),
      extension.testing(),
    ]);
    const useCases = domain.createUseCases({ ...world, store: testing.createInMemoryStore(world) });
    return { useCases, http };
  }

  test('describes each route that it serves, and serves each that it describes', async () => {
    const { useCases, http } = await load();
    const served = http?.serve(useCases).map(({ route }) => route) ?? [];
    expect(idsOf(served), 'the routes that `serve` returns, and `routes`').toEqual(idsOf(http?.routes ?? []));
  });

  test('has an example of each outcome of its routes, and of nothing else', async () => {
    await using scene = await startTestServer({ extensions: [extension] });
    for (const { routes, examples } of (await factsOf(scene)).extensions ?? []) {
      expect(Object.keys(examples).toSorted()).toEqual(idsOf(routes));
      for (const route of routes) {
        const { operationId } = route;
        const outcomes = Object.keys(examples[operationId] ?? {});
        const known = ['unchanged', ...problemsOf(route).keys(), ...ownOutcomesOf(route)];
        expect(outcomes, `examples of ${operationId}`).toEqual(expect.arrayContaining(ownOutcomesOf(route)));
        expect(known, `outcomes of ${operationId}`).toEqual(expect.arrayContaining(outcomes));
      }
    }
  });

  test('lists the rule of each use case and route, and each of its rules is asked', async () => {
    const { useCases, http } = await load();
    const asked = new Map<string, unknown>();
    for (const [name, useCase] of Object.entries(useCases as object)) {
      if (typeof useCase !== 'function') continue;
      expect(useCase, `the use case ${name} is made without \`authorized\``).toHaveProperty('rule');
      asked.set(name, useCase.rule);
    }
    for (const { operationId, rule } of http?.routes ?? []) if (rule) asked.set(operationId, rule);
    for (const [name, rule] of asked) {
      // A rule that depends on the input is one of several.
      if (typeof rule === 'function') continue;
      expect(REGISTERED_CATALOG.rules, `the rule of ${name}`).toContain(rule);
    }
    const rules = new Set(asked.values());
    const unasked = extension.rules.filter((rule) => !rules.has(rule)).map(({ name }) => name);
    if (![...rules].some((rule) => typeof rule === 'function'))
      expect(unasked, 'rules that nothing asks').toEqual([]);
  });

  test('has a rule for each of its scopes', () => {
    const needed = new Set(extension.rules.map(({ scope }) => scope as string | undefined));
    const unneeded = Object.keys(extension.scopes ?? {}).filter((scope) => !needed.has(scope));
    expect(unneeded, 'scopes that no rule needs').toEqual([]);
  });
});
