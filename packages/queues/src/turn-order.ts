/**
 * Creates an order of items that wait, by key. Keys take turns; the items of one key keep their order. Each operation takes
 * constant time but `removeNewestOfLongest`, which looks at each key.
 */
export function createTurnOrder<Key, Item extends object>() {
  /** The first key has the next turn. */
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
    /** The number of all items. */
    size: () => size,
    /** The number of items of this key. */
    sizeOf: (key: Key) => queues.get(key)?.size ?? 0,
    /** The number of keys that have items. */
    keys: () => queues.size,
    /** Adds an item behind the other items of its key; a new key is behind all others. An item may be added once. */
    add(key: Key, item: Item): void {
      const queue = queues.get(key);
      if (queue) queue.add(item);
      else queues.set(key, new Set([item]));
      size += 1;
    },
    /** Removes an item, and returns whether it was there. */
    remove,
    /** Removes and returns the items of this key, oldest first. */
    removeAll(key: Key): readonly Item[] {
      const removed = [...(queues.get(key) ?? [])];
      queues.delete(key);
      size -= removed.length;
      return removed;
    },
    /**
     * Removes and returns the item whose turn it is, and puts its key behind all others. Keys that may not go now keep
     * their place. Undefined if no item may go.
     */
    next(mayGo?: (key: Key) => boolean): Item | undefined {
      for (const [key, queue] of queues) {
        if (mayGo && !mayGo(key)) continue;
        const [item] = queue as Set<Item>;
        remove(key, item as Item);
        // The key moves behind all other keys.
        if (queues.delete(key)) queues.set(key, queue);
        return item;
      }
      return undefined;
    },
    /** Removes and returns the newest item of the key with the most, if it has more than `count`. */
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
