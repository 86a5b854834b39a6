import type { Pause } from '../src/database/pause.ts';

/** Pauses that the test ends. */
export function createPaces() {
  let begun = Promise.withResolvers<number>();
  let pausing = false;
  let end = () => {};
  const pause: Pause = (milliseconds, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      signal?.addEventListener(
        'abort',
        () => {
          if (pausing) begun = Promise.withResolvers();
          pausing = false;
          resolve();
        },
        { once: true },
      );
      end = resolve;
      pausing = true;
      begun.resolve(milliseconds);
    });
  return {
    pause,
    /** Resolves with the length of a pause when it has begun. */
    begun: () => begun.promise,
    /** Ends the current or next pause; resolves with the length of the following one when it begins. */
    async next(): Promise<number> {
      await begun.promise;
      begun = Promise.withResolvers();
      const following = begun.promise;
      pausing = false;
      end();
      return following;
    },
  };
}
