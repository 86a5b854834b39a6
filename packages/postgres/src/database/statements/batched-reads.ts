interface PendingRead<Key, Found> {
  readonly key: Key;
  readonly resolve: (found: Found | undefined) => void;
  readonly reject: (fault: unknown) => void;
}

/**
 * Makes one statement of the reads that begin in one turn of the event loop, and of those that come while there is no
 * connection. Building a statement, taking a connection and parsing its answer takes longer than the row. A read waits for
 * nothing but the end of the turn if a connection is free, so one that is alone is as fast as before. If the statement
 * fails, all of its reads do.
 *
 * @param readAll reads for each key, in the order of the keys
 * @param begin makes a statement when there is a connection for it. Default: at once
 */
export function createBatchedReads<Key, Found>(
  readAll: (keys: readonly Key[]) => Promise<readonly (Found | undefined)[]>,
  begin: (statement: () => Promise<void>) => Promise<void> = (statement) => statement(),
): (key: Key) => Promise<Found | undefined> {
  let pending: PendingRead<Key, Found>[] = [];

  function take() {
    const batch = pending;
    pending = [];
    return batch;
  }

  async function readPending(): Promise<void> {
    let batch: typeof pending | undefined;
    try {
      await begin(async () => {
        batch = take();
        const found = await readAll(batch.map(({ key }) => key));
        for (const [index, { resolve }] of batch.entries()) resolve(found[index]);
      });
    } catch (fault) {
      for (const { reject } of batch ?? take()) reject(fault);
    }
  }

  return (key) =>
    new Promise((resolve, reject) => {
      if (pending.length === 0) setImmediate(readPending);
      pending.push({ key, resolve, reject });
    });
}
