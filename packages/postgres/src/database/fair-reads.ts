import { createFairQueue, UnavailableFault } from '@gatehouse/domain';
import type { UserId } from '@gatehouse/domain/users';
import type { InTime } from './in-time.ts';

/** Connections of the pool that reads for users leave to sign-ins and everything else. */
const SPARE_CONNECTIONS = 1;
/** Reads that wait for their turn in one process: as many as there are requests under way, for all but a flood. */
const MAX_QUEUED_READS = 4_096;
/** Reads of one user among them: as many as a fast database answers before their requests give up. */
const MAX_QUEUED_READS_PER_USER = MAX_QUEUED_READS / 4;

/** Those who take turns: users, and apart from each the tokens of that user that have ended. */
export type Turn = UserId | `ended ${number}`;

export interface FairReads {
  /** Waits for the read's turn and for the read itself. Throws an `UnavailableFault` where it has no place or gives up. */
  inTurn<T>(turn: Turn, read: () => Promise<T>): Promise<T>;
  /** Reads that wait for their turn. */
  waiting(): number;
}

/**
 * Has users take turns at the connections of a pool of this size, whatever one of them sends. A user may use all but the
 * spare ones while no other waits. `inTime` gives a request up: a read that still waits then is not made any more, and one
 * under way keeps its turn until it ends, because it keeps its connection.
 */
export function createFairReads(poolSize: number, inTime: InTime): FairReads {
  const queue = createFairQueue<Turn>({
    concurrency: Math.max(1, poolSize - SPARE_CONNECTIONS),
    queued: MAX_QUEUED_READS,
    queuedPerKey: MAX_QUEUED_READS_PER_USER,
  });

  async function makeInTurn<T>(turn: Turn, read: () => Promise<T>, isWanted: () => boolean): Promise<T> {
    const admitted = await queue(turn, read, isWanted);
    if (admitted.ok) return admitted.value;
    throw new UnavailableFault(
      admitted.error.limit === 'key' ? 'too many reads of one user wait' : 'too many reads wait',
    );
  }

  async function waitForTurn<T>(turn: Turn, read: () => Promise<T>): Promise<T> {
    let isWanted = true;
    try {
      return await inTime(makeInTurn(turn, read, () => isWanted));
    } finally {
      isWanted = false;
    }
  }

  return {
    inTurn(turn, read) {
      const reading = queue.beginNow(read);
      return reading ? inTime(reading) : waitForTurn(turn, read);
    },
    waiting: () => queue.load().waiting,
  };
}
