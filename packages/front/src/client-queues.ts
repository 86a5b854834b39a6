/** A queue in which clients take turns. The items of one client keep their order. */
export function createClientQueues<Item>() {
  /** By client, in the order of their turns. */
  const queues = new Map<unknown, Set<Item>>();
  let size = 0;

  function remove(client: unknown, item: Item): void {
    const queue = queues.get(client);
    if (!queue?.delete(item)) return;
    size -= 1;
    if (queue.size === 0) queues.delete(client);
  }

  return {
    size: () => size,
    /** An item is queued once, however often it is added. */
    add(client: unknown, item: Item): void {
      const queue = queues.get(client) ?? new Set();
      queues.set(client, queue.add(item));
      size += 1;
    },
    remove,
    /** Removes and returns the next item. */
    next(): Item | undefined {
      for (const [client, queue] of queues) {
        const [item] = queue as Set<Item & {}>;
        if (item === undefined) return undefined;
        remove(client, item);
        // After all other clients.
        if (queues.delete(client)) queues.set(client, queue);
        return item;
      }
      return undefined;
    },
  };
}
