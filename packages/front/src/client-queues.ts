/** What waits for its turn. Clients take turns; what one client has waiting keeps its order. */
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
    /** Each item once. */
    add(client: unknown, item: Item): void {
      const queue = queues.get(client) ?? new Set();
      queues.set(client, queue.add(item));
      size += 1;
    },
    remove,
    /** Takes out the item that is next. */
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
