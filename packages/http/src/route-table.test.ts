import { H3 } from 'h3';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createRouteTable } from './route-table.ts';

/** A table of two routes that says where a path leads, and how often it searched. */
function arrange() {
  const search = vi.spyOn(H3.prototype, '~findRoute');
  onTestFinished(() => search.mockRestore());
  const findPlace = createRouteTable({ '/orgs': 'all', '/orgs/:id': 'one' });
  return { findPlace, searches: () => search.mock.calls.length };
}

test('each path keeps its own place and parameters', () => {
  const { findPlace, searches } = arrange();
  for (const id of ['1', '2', '1']) {
    expect(findPlace('/orgs')).toEqual({ route: '/orgs', place: 'all', params: {} });
    expect(findPlace(`/orgs/${id}`)).toEqual({ route: '/orgs/:id', place: 'one', params: { id } });
  }
  expect(searches()).toBe(3);
  for (const path of ['/orgs/1/members', '//-', '/nowhere']) expect(findPlace(path)).toBeUndefined();
});

test('of a flood of paths, a thousand are remembered, and long ones not at all', () => {
  const { findPlace, searches } = arrange();
  const searchesFor = (path: string) => {
    const before = searches();
    findPlace(path);
    return searches() - before;
  };
  findPlace('/orgs/first');
  for (let id = 0; id < 999; id += 1) findPlace(`/orgs/${id}`);
  expect(searchesFor('/orgs/first')).toBe(0);
  findPlace('/orgs/one-more');
  expect([searchesFor('/orgs/first'), searchesFor('/orgs/first')]).toEqual([1, 0]);
  const long = `/orgs/${'x'.repeat(60)}`;
  expect([searchesFor(long), searchesFor(long)]).toEqual([1, 1]);
});
