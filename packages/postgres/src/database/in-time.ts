import { UnavailableFault } from '@gatehouse/domain';

/** The event loop gets at least so many turns to read the answer, however busy it is. */
const MIN_TURNS = 10;

/** Waits for a read. Rejects with an `UnavailableFault` when the database does not answer in time. */
export type InTime = <T>(read: Promise<T>) => Promise<T>;

interface PendingRead {
  readonly sinceTick: number;
  readonly reject: (fault: UnavailableFault) => void;
}

const giveUp = ({ reject }: PendingRead) =>
  reject(new UnavailableFault('the database does not answer in time'));

/**
 * Waits for each read at most `withinMs`, and nine tenths of it at least. The statement itself goes on to its own limit
 * and keeps its connection: were each replaced at once, those that wait for a lock would pile up. All reads share one
 * timer, because a timer for each costs as much as everything else here.
 */
export function createInTime(withinMs: number): InTime {
  /** The oldest first. */
  const pending = new Set<PendingRead>();
  let ticks = 0;
  let timer: NodeJS.Timeout | undefined;

  // Time in which this process did something else is not the database's: its answers may be there, and not be read.
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
    // A read begins between two ticks, of which the first does not count.
    timer ??= setTimeout(tick, withinMs / (MIN_TURNS + 1));
  }

  return (reading) =>
    new Promise((resolve, reject) => {
      const read = { sinceTick: ticks, reject };
      pending.add(read);
      if (timer === undefined) schedule();
      reading.then(
        (value) => {
          pending.delete(read);
          resolve(value);
        },
        (error) => {
          pending.delete(read);
          reject(error);
        },
      );
    });
}
