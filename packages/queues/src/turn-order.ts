/** Items that wait, by key. Keys take turns; the items of one key keep their order. */
export interface TurnOrder<Key, Item> {
  /** The number of all items. */
  size(): number;
  /** The number of items of this key. */
  sizeOf(key: Key): number;
  /** The number of keys that have items. */
  keys(): number;
  /** Adds an item behind those of its key; a new key is behind all others. An item may be added once. */
  add(key: Key, item: Item): void;
  /** Removes an item, and returns whether it was there. */
  remove(key: Key, item: Item): boolean;
  /** Removes and returns the items of this key, oldest first. */
  removeAll(key: Key): readonly Item[];
  /**
   * Removes and returns the item whose turn it is, and puts its key behind all others. Keys that may not go now keep their
   * place. Undefined if there is none.
   */
  next(mayGo?: (key: Key) => boolean): Item | undefined;
  /** Removes and returns the newest item of the key with the most, if it has more than `count`. */
  removeNewestOfLongest(count: number): Item | undefined;
}

/** Creates an empty order. Each operation takes constant time but the last, which looks at each key. */
export function createTurnOrder<Key, Item extends object>(): TurnOrder<Key, Item> {
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
    size: () => size,
    sizeOf: (key) => queues.get(key)?.size ?? 0,
    keys: () => queues.size,
    add(key, item) {
      const queue = queues.get(key);
      if (queue) queue.add(item);
      else queues.set(key, new Set([item]));
      size += 1;
    },
    remove,
    removeAll(key) {
      const removed = [...(queues.get(key) ?? [])];
      queues.delete(key);
      size -= removed.length;
      return removed;
    },
    next(mayGo) {
      for (const [key, queue] of queues) {
        if (mayGo && !mayGo(key)) continue;
        const [item] = queue as Set<Item>;
        remove(key, item as Item);
        // After all other keys.
        if (queues.delete(key)) queues.set(key, queue);
        return item;
      }
      return undefined;
    },
    removeNewestOfLongest(count) {
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
