import type { Within } from '@gatehouse/domain/reactions';

/** Rejects after so many milliseconds, whatever the work does then. */
export const within: Within = (milliseconds, work) => {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new Error(`no answer within ${milliseconds} milliseconds`)),
    milliseconds,
  ).unref();
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
};
