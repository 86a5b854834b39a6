import { UnavailableFault } from '@gatehouse/domain';

/** However many reads an answer takes, in milliseconds: with all that is around it the caller has one in a second. */
const ANSWER_WITHIN_MS = 900;

/** The answer, or the fault of a server that has none in time. Every request passes here: a race would cost more. */
export function inTime<T>(answering: Promise<T>, withinMs = ANSWER_WITHIN_MS): Promise<T> {
  return new Promise((resolve, reject) => {
    const fault = () => reject(new UnavailableFault('what it takes to answer does not come in time'));
    // After a pause of this process the answer may be waiting: one more turn of the event loop reads it.
    const timer = setTimeout(() => setImmediate(fault), withinMs);
    answering.then(
      (answer) => {
        clearTimeout(timer);
        resolve(answer);
      },
      (error) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}
