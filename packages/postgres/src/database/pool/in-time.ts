import { UnavailableFault } from '@gatehouse/domain';

/** The number of ticks of the timer before a read counts as late. Between two ticks, the event loop can read the answer. */
const MIN_TURNS = 10;

/** Waits for a read. Rejects with an `UnavailableFault` if the database does not answer in time. */
export type InTime = <T>(read: Promise<T>) => Promise<T>;

interface PendingRead {
  readonly sinceTick: number;
  readonly reject: (fault: UnavailableFault) => void;
}

const giveUp = ({ reject }: PendingRead) =>
  reject(new UnavailableFault('the database does not answer in time'));

/**
 * Waits for each read at most `withinMs`, and at least nine tenths of that time. The statement of a late read runs on
 * until its own time limit, and keeps its connection. If the connection were free at once, more and more statements
 * would wait for locks in the database. All reads share one timer, because a timer for each read would double the cost
 * of this function.
 */
export function createInTime(withinMs: number): InTime {
  /** The reads that wait, the oldest before newer ones. */
  const pending = new Set<PendingRead>();
  let ticks = 0;
  let timer: NodeJS.Timeout | undefined;

  // Counts ticks instead of time. While this process is busy with other work, the timer does not fire, although an
  // answer may already have arrived.
  function tick(): void {
    timer = undefined;
    ticks += 1;
    for (const read of pending) {
      if (ticks - read.sinceTick <= MIN_TURNS) break;
      pending.delete(read);
      setImmediate(giveUp, read);
    }
    if (pending.size > 0) schedule();
  }

  function schedule(): void {
    // A read begins between two ticks, so the next tick does not count for it.
    timer ??= setTimeout(tick, withinMs / (MIN_TURNS + 1));
  }

  return (reading) =>
    new Promise((resolve, reject) => {
      const read = { sinceTick: ticks, reject };
      pending.add(read);
      if (timer === undefined) schedule();
      const ended = <V>(settle: (outcome: V) => void) => {
        return (outcome: V) => {
          pending.delete(read);
          settle(outcome);
        };
      };
      reading.then(ended(resolve), ended(reject));
    });
}
