/**
 * Creates a queue of items that are grouped by key. Keys take turns, and the items of a key stay in the order in which
 * they were added. Each operation takes constant time, except `removeNewestOfLongest` and `next` with `mayGo`, which
 * look at several keys.
 */
export function createTurnOrder<Key, Item extends object>() {
  /** The waiting items by key. The first key of the map has the next turn. */
  const queues = new Map<Key, Set<Item>>();
  let size = 0;

  function remove(key: Key, item: Item): boolean {
    const queue = queues.get(key);
    if (!queue?.delete(item)) return false;
    size -= 1;
    if (queue.size === 0) queues.delete(key);
    return true;
  }

  return {
    /** Returns the number of waiting items of all keys. */
    size: () => size,
    /** Returns the number of waiting items of this key. */
    sizeOf: (key: Key) => queues.get(key)?.size ?? 0,
    /** Returns the number of keys that have waiting items. */
    keys: () => queues.size,
    /**
     * Adds an item after the other items of its key. A new key gets its turn after all other keys. The same item must
     * not be added twice.
     */
    add(key: Key, item: Item): void {
      const queue = queues.get(key);
      if (queue) queue.add(item);
      else queues.set(key, new Set([item]));
      size += 1;
    },
    /** Removes an item, and returns whether it was in the queue. */
    remove,
    /** Removes and returns all items of this key, the oldest before newer items. */
    removeAll(key: Key): readonly Item[] {
      const removed = [...(queues.get(key) ?? [])];
      queues.delete(key);
      size -= removed.length;
      return removed;
    },
    /**
     * Removes and returns the oldest item of the key whose turn it is. That key gets its next turn after all other
     * keys. A key for which `mayGo` returns false is skipped, and is asked before later keys at the next call. Returns
     * undefined if every key with items is skipped, or if there are no items.
     */
    next(mayGo?: (key: Key) => boolean): Item | undefined {
      for (const [key, queue] of queues) {
        if (mayGo && !mayGo(key)) continue;
        const [item] = queue as Set<Item>;
        remove(key, item as Item);
        // Moves the key to the end of the map, so that it gets its next turn after all other keys.
        if (queues.delete(key)) queues.set(key, queue);
        return item;
      }
      return undefined;
    },
    /**
     * Removes and returns the newest item of the key with the most items. Returns undefined if no key has more than
     * `count` items.
     */
    removeNewestOfLongest(count: number): Item | undefined {
      let longest: { readonly key: Key; readonly queue: Set<Item> } | undefined;
      for (const [key, queue] of queues) {
        if (queue.size > (longest?.queue.size ?? count)) longest = { key, queue };
      }
      const newest = longest && [...longest.queue].at(-1);
      if (longest && newest) remove(longest.key, newest);
      return newest;
    },
  };
}
