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

/** Runs shared reads at once. For commands, whose reads do not wait for each other. */
export const shareAtOnce: ShareReads = ({ readAll }) => createBatchedReads(readAll);

/**
 * Users take turns at reads that share statements, and each statement waits for a connection like one user. A read waits as
 * long as a request may wait; one whose request gave up before its turn is not made.
 */
export function createSharedReads(lanes: Pick<Lanes, 'api' | 'sharing'>, inTime: InTime): ShareReads {
  const { api, sharing } = lanes;
  return ({ kind, readAll, userOf }) => {
    // The statement has its place. Without that, it would wait for another one in the lane of its first reader.
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
