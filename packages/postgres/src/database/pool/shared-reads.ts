import { type AskerKey, currentAsker, keyOf, onBehalfOfNone } from './askers.ts';
import type { InTime } from './in-time.ts';
import { noPlace, whileWanted } from './lane.ts';
import type { Lanes, SharedStatement } from './lanes.ts';

interface SharedReadsOptions<Key, Found> {
  readonly kind: SharedStatement;
  /** Reads the values of all keys, in the order of the keys. */
  readAll(keys: readonly Key[]): Promise<readonly (Found | undefined)[]>;
  /** Returns the queue in which the read of a key waits. Default: the queue of the user or client of the request. */
  readonly userOf?: (key: Key) => AskerKey;
}

/** Combines reads of several requests into one statement. */
export type ShareReads = <Key, Found>(
  options: SharedReadsOptions<Key, Found>,
) => (key: Key) => Promise<Found | undefined>;

/** Combines reads for commands of the command line, without a queue, because in a command no user waits for another. */
export const shareAtOnce: ShareReads = ({ readAll }) => createBatchedReads(readAll);

/**
 * Combines reads for a server. Users take turns at the reads that share a statement, and the statements of one kind
 * wait for a connection like those of one user. A read waits as long as a request may wait. If the request gives up
 * before the statement begins, the read is not made.
 */
export function createSharedReads(lanes: Pick<Lanes, 'api' | 'sharing'>, inTime: InTime): ShareReads {
  const { api, sharing } = lanes;
  return ({ kind, readAll, userOf }) => {
    // A connection is already reserved for the statement. If the statement were made for its first reader, it would
    // wait for a second connection.
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
 * Makes one statement of the reads that begin in one turn of the event loop, and of the reads that begin while no
 * connection is free. One statement for many rows is cheaper: building a statement, taking a connection and parsing the
 * answer cost more than reading a row. If a connection is free, a read waits only for the end of the turn. If the
 * statement fails, all of its reads fail.
 *
 * @param readAll reads the values of all keys, in the order of the keys
 * @param begin runs the statement once a connection is free. Default: at once
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
