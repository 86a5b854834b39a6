import { H3 } from 'h3';
import { expect, onTestFinished, test, vi } from 'vitest';
import { RoutesRemembered } from './remembered-routes.ts';

/** An app that answers which route was found, and how often it looked for one. */
function arrange() {
  const search = vi.spyOn(H3.prototype, '~findRoute');
  onTestFinished(() => search.mockRestore());
  const app = new RoutesRemembered();
  app.all('/orgs', () => 'all');
  app.all('/orgs/:id', ({ context }) => `one: ${context.params?.id}`);
  const ask = async (path: string, method = 'GET') => (await app.request(path, { method })).text();
  return { app, ask, searches: () => search.mock.calls.length };
}

test('each path keeps its own route and parameters, under any method', async () => {
  const { app, ask, searches } = arrange();
  for (const method of ['GET', 'POST', 'GET']) {
    expect(await ask('/orgs', method)).toBe('all');
    for (const id of ['1', '2', '1']) expect(await ask(`/orgs/${id}`, method)).toBe(`one: ${id}`);
  }
  expect(searches()).toBe(3);
  expect((await app.request('/orgs/1/members')).status).toBe(404);
});

test('of a flood of paths, a thousand are remembered, and long ones not at all', async () => {
  const { ask, searches } = arrange();
  const searchesFor = async (path: string) => {
    const before = searches();
    await ask(path);
    return searches() - before;
  };
  await ask('/orgs/first');
  for (let id = 0; id < 999; id += 1) await ask(`/orgs/${id}`);
  expect(await searchesFor('/orgs/first')).toBe(0);
  await ask('/orgs/one-more');
  expect([await searchesFor('/orgs/first'), await searchesFor('/orgs/first')]).toEqual([1, 0]);
  const long = `/orgs/${'x'.repeat(60)}`;
  expect([await searchesFor(long), await searchesFor(long)]).toEqual([1, 1]);
});
