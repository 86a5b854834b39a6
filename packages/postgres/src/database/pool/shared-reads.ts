import { createBatchedReads } from '../statements/batched-reads.ts';
import { type AskerKey, currentAsker, keyOf, onBehalfOfNone } from './askers.ts';
import type { InTime } from './in-time.ts';
import { noPlace, whileWanted } from './lane.ts';
import type { Lanes, SharedStatement } from './lanes.ts';

export interface SharedReadsOptions<Key, Found> {
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

/** For commands, which make no reads at once that could wait for each other. */
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
