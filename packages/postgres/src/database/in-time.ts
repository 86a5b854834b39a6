import { UnavailableFault } from '@gatehouse/domain';

/**
 * What was read, or the fault of a database that does not say so in time. The statement itself goes on to its
 * own limit and keeps its connection: were each replaced at once, those that wait for a lock would pile up.
 */
export async function inTime<T>(read: Promise<T>, withinMs: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  const fault = () => late.reject(new UnavailableFault('the database does not answer in time'));
  // After a pause of this process the answer may be waiting: one more turn of the event loop reads it.
  const timer = setTimeout(() => setImmediate(fault), withinMs);
  try {
    return await Promise.race([read, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
