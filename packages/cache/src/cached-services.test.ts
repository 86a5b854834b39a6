import { addServiceScope, createService, listServices, type ServiceName } from '@gatehouse/domain/services';
import { createWorld, OPERATOR, unwrap } from '@gatehouse/domain/testing';
import { describe, expect, test, vi } from 'vitest';
import { createFeedParts } from '../testing/parts.ts';
import { createCachedServices } from './cached-services.ts';
import { createChangeLog } from './change-log.ts';
import { noReads } from './read-through.ts';

/** Cached services of a world that tells its changes, and how often they were read. */
async function openServices() {
  const { feed, isFresh, pass } = createFeedParts();
  feed.beat();
  const world = await createWorld(feed.tell);
  const list = vi.spyOn(world.services, 'list');
  const reads = noReads();
  const changes = createChangeLog(feed);
  const services = createCachedServices(world.services, { feed, changes, isFresh, reads });
  /** The answer, and how often the repository was read for it. */
  const readsFor = async () => {
    const before = list.mock.calls.length;
    return [await services.list(), list.mock.calls.length - before] as const;
  };
  const create = async (name: string) =>
    unwrap(await createService(world)(OPERATOR, { name, description: null, openTo: 'all' }));
  return { world, feed, pass, list, reads, services, readsFor, create };
}

describe('the services', () => {
  test('are read once, and again after a service has changed', async () => {
    const { world, feed, services, reads, readsFor, create } = await openServices();
    expect(await readsFor()).toEqual([[], 1]);
    feed.tell({ kind: 'token', id: 'x' as never });
    for (let time = 0; time < 100; time += 1) expect((await readsFor())[1]).toBe(0);

    const service = await create('orders');
    expect(await readsFor()).toEqual([[service], 1]);
    expect((await readsFor())[1]).toBe(0);
    const added = { scope: 'orders:read', label: 'Read orders', allows: 'See all orders.' };
    unwrap(await addServiceScope(world)(OPERATOR, added));
    const [[changed] = [], count] = await readsFor();
    expect([changed?.scopes.map(({ name }) => name), count]).toEqual([['orders:read'], 1]);
    expect(unwrap(await listServices({ services })(OPERATOR))).toEqual([changed]);
    expect(reads).toEqual({ hit: 102, miss: 3, bypassed: 0 });
  });

  test('in memory are answered without a promise, and always as the same list', async () => {
    const { services, create } = await openServices();
    await create('orders');
    const first = services.list();
    expect(first).toBeInstanceOf(Promise);
    const list = await first;
    expect(services.list()).toBe(list);
    expect(services.list()).toBe(list);
  });

  test('are read each time while the feed is not fresh', async () => {
    const { feed, services, reads, pass, readsFor } = await openServices();
    await services.list();
    pass(1001);
    expect((await readsFor())[1]).toBe(1);
    feed.beat();
    expect((await readsFor())[1]).toBe(0);
    feed.lose();
    expect((await readsFor())[1]).toBe(1);
    feed.beat();
    expect((await readsFor())[1]).toBe(1);
    expect(reads).toEqual({ hit: 1, miss: 2, bypassed: 2 });
  });

  test('that change during every read are read eleven times, and are not cached', async () => {
    const { feed, list, services } = await openServices();
    list.mockImplementation(async () => {
      feed.tell({ kind: 'service', id: 'orders' as ServiceName });
      return [];
    });
    expect(await services.list()).toEqual([]);
    expect(list).toHaveBeenCalledTimes(11);
    await services.list();
    expect(list).toHaveBeenCalledTimes(22);
  });
});
