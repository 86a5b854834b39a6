import { type AskerKey, currentAsker, keyOf, onBehalfOfNone } from './askers.ts';
import type { InTime } from './in-time.ts';
import { noPlace, whileWanted } from './lane.ts';
import type { Lanes, SharedStatement } from './lanes.ts';

interface SharedReadsOptions<Key, Found> {
  readonly kind: SharedStatement;
  /** Returns what it finds for each key, in the order of the keys. */
  readAll(keys: readonly Key[]): Promise<readonly (Found | undefined)[]>;
  /** The user whom a key names. Default: the asker. */
  readonly userOf?: (key: Key) => AskerKey;
}

/** Makes reads of several requests by one statement. */
export type ShareReads = <Key, Found>(
  options: SharedReadsOptions<Key, Found>,
) => (key: Key) => Promise<Found | undefined>;

/** Makes shared reads at once, for commands, in which no user waits for another. */
export const shareAtOnce: ShareReads = ({ readAll }) => createBatchedReads(readAll);

/**
 * Makes shared reads for a server. Users take turns at the reads that share a statement, and each such statement waits for a
 * connection like one user. A read waits as long as a request may wait. It is not made if its request gave up before.
 */
export function createSharedReads(lanes: Pick<Lanes, 'api' | 'sharing'>, inTime: InTime): ShareReads {
  const { api, sharing } = lanes;
  return ({ kind, readAll, userOf }) => {
    // The statement already has a place in the lane. On behalf of its first reader, it would wait for a second place.
    const read = createBatchedReads(readAll, (statement) => api.run(kind, () => onBehalfOfNone(statement)));
    return (key) => {
      const asker = currentAsker();
      const user = userOf ? userOf(key) : asker && keyOf(asker);
      if (user === undefined) return inTime(read(key));
      const reading = sharing.runNow(user, () => read(key));
      if (reading) return inTime(reading);
      return whileWanted(inTime, async (isWanted) => {
        const admitted = await sharing.run(user, () => read(key), { isWanted });
        if (!admitted.ok) throw noPlace('reads', admitted.error);
        return admitted.value;
      });
    };
  };
}

interface PendingRead<Key, Found> {
  readonly key: Key;
  readonly resolve: (found: Found | undefined) => void;
  readonly reject: (fault: unknown) => void;
}

/**
 * Makes one statement of the reads that begin in one turn of the event loop, and of the reads that come while no connection
 * is free. One statement for many rows is cheaper: building a statement, taking a connection and parsing the answer cost
 * more than reading a row. If a connection is free, a read waits only for the end of the turn. If the statement fails, all
 * of its reads fail.
 *
 * @param readAll reads for each key, in the order of the keys
 * @param begin makes the statement once a connection is free. Default: at once
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
