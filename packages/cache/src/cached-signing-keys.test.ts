import { createKey, createKeyRing, type KeyId, listPublicKeys } from '@gatehouse/domain/signing-keys';
import { createWorld, OPERATOR, unwrap } from '@gatehouse/domain/testing';
import { describe, expect, test, vi } from 'vitest';
import { createFeedParts } from '../testing/parts.ts';
import { createCachedSigningKeys } from './cached-signing-keys.ts';
import { createChangeLog } from './change-log.ts';
import { noReads } from './read-through.ts';

/** Cached keys of a world that tells its changes, and how often they were read. */
async function openKeys() {
  const { feed, isFresh, pass } = createFeedParts();
  feed.beat();
  const world = await createWorld(feed.tell);
  const list = vi.spyOn(world.signingKeys, 'list');
  const reads = noReads();
  const signingKeys = createCachedSigningKeys(world.signingKeys, {
    feed,
    changes: createChangeLog(feed),
    isFresh,
    reads,
  });
  const passes = (milliseconds: number) => {
    pass(milliseconds);
    world.clock.advance(milliseconds);
  };
  /** The answer, and how often the repository was read for it. */
  const readsFor = async <T>(ask: () => Promise<T>) => {
    const before = list.mock.calls.length;
    return [await ask(), list.mock.calls.length - before] as const;
  };
  return { world, feed, list, reads, signingKeys, passes, readsFor };
}

async function staged(world: Parameters<typeof createKey>[0]): Promise<KeyId> {
  return unwrap(await createKey(world)(OPERATOR, 'paseto')).id;
}

describe('the published keys', () => {
  test('are read once, and again after a key has changed', async () => {
    const { world, feed, signingKeys, reads, readsFor } = await openKeys();
    const published = listPublicKeys({ signingKeys });
    expect(await readsFor(published)).toEqual([expect.any(Array), 1]);
    feed.tell({ kind: 'token', id: 'x' as never });
    for (let time = 0; time < 100; time += 1) expect((await readsFor(published))[1]).toBe(0);

    const id = await staged(world);
    const [keys, count] = await readsFor(published);
    expect([keys.some((key) => key.id === id), count]).toEqual([true, 1]);
    expect(reads).toEqual({ hit: 100, miss: 2, bypassed: 0 });
  });

  test('are read each time while the feed is not fresh', async () => {
    const { feed, signingKeys, reads, passes, readsFor } = await openKeys();
    await signingKeys.list();
    passes(1001);
    expect((await readsFor(signingKeys.list))[1]).toBe(1);
    feed.beat();
    expect((await readsFor(signingKeys.list))[1]).toBe(0);
    feed.lose();
    expect((await readsFor(signingKeys.list))[1]).toBe(1);
    feed.beat();
    expect((await readsFor(signingKeys.list))[1]).toBe(1);
    expect(reads).toEqual({ hit: 1, miss: 2, bypassed: 2 });
  });

  test('that change during every read are read eleven times, and are not cached', async () => {
    const { feed, list, signingKeys } = await openKeys();
    list.mockImplementation(async () => {
      feed.tell({ kind: 'key', id: 'k' as KeyId });
      return [];
    });
    expect(await signingKeys.list()).toEqual([]);
    expect(list).toHaveBeenCalledTimes(11);
    await signingKeys.list();
    expect(list).toHaveBeenCalledTimes(22);
  });
});

describe('a key ring over cached keys', () => {
  async function openRing() {
    const keys = await openKeys();
    const ring = createKeyRing({ signingKeys: keys.signingKeys, clock: keys.world.clock });
    const looks = async (id = 'none' as KeyId) => {
      const [found, count] = await keys.readsFor(async () => ring.find(id));
      return [found?.id, count];
    };
    return { ...keys, looks };
  }

  test('looks up an unknown id once, and again only after a key has changed', async () => {
    const { world, feed, passes, looks } = await openRing();
    expect(await looks()).toEqual([undefined, 1]);
    for (let second = 0; second < 5; second += 1) {
      passes(1000);
      feed.beat();
      feed.tell({ kind: 'token', id: 'x' as never });
      expect(await looks()).toEqual([undefined, 0]);
    }
    passes(1000);
    feed.beat();
    const id = await staged(world);
    expect(await looks(id)).toEqual([id, 1]);
    passes(1000);
    feed.beat();
    expect(await looks()).toEqual([undefined, 0]);
  });

  test('looks it up once a second while the feed is lost or silent', async () => {
    const { feed, passes, looks } = await openRing();
    expect(await looks()).toEqual([undefined, 1]);
    passes(1001);
    expect(await looks()).toEqual([undefined, 1]);
    expect(await looks()).toEqual([undefined, 0]);
    feed.lose();
    passes(1000);
    expect(await looks()).toEqual([undefined, 1]);
    feed.beat();
    passes(1000);
    feed.beat();
    expect(await looks()).toEqual([undefined, 1]);
    expect(await looks()).toEqual([undefined, 0]);
  });
});
