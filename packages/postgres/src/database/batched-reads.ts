interface PendingRead<Key, Found> {
  readonly key: Key;
  readonly resolve: (found: Found | undefined) => void;
  readonly reject: (fault: unknown) => void;
}

/**
 * Makes one statement of the reads that begin in one turn of the event loop. Building a statement, taking a connection and
 * parsing its answer takes longer than the row. A read waits for nothing but the end of the turn, so one that is alone is
 * as fast as before. If the statement fails, all of its reads do.
 *
 * `readAll` returns what it finds for each key, in the order of the keys.
 */
export function createBatchedReads<Key, Found>(
  readAll: (keys: readonly Key[]) => Promise<readonly (Found | undefined)[]>,
): (key: Key) => Promise<Found | undefined> {
  let pending: PendingRead<Key, Found>[] = [];

  async function readPending(): Promise<void> {
    const batch = pending;
    pending = [];
    try {
      const found = await readAll(batch.map(({ key }) => key));
      for (const [index, { resolve }] of batch.entries()) resolve(found[index]);
    } catch (fault) {
      for (const { reject } of batch) reject(fault);
    }
  }

  return (key) =>
    new Promise((resolve, reject) => {
      if (pending.length === 0) setImmediate(readPending);
      pending.push({ key, resolve, reject });
    });
}
