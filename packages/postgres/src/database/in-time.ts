import { UnavailableFault } from '@gatehouse/domain';

/** The event loop gets at least so many turns to read the answer, however busy it is. */
const MIN_TURNS = 10;

/**
 * What was read, or the fault of a database that does not say so in time. The statement itself goes on to its
 * own limit and keeps its connection: were each replaced at once, those that wait for a lock would pile up.
 */
export async function inTime<T>(read: Promise<T>, withinMs: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  const fault = () => late.reject(new UnavailableFault('the database does not answer in time'));
  let turns = 0;
  let timer: NodeJS.Timeout | undefined;
  // Time in which this process did something else is not the database's: its answers may be there, and not be read.
  const wait = () => {
    turns += 1;
    timer = setTimeout(turns < MIN_TURNS ? wait : () => setImmediate(fault), withinMs / MIN_TURNS);
  };
  wait();
  try {
    return await Promise.race([read, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
