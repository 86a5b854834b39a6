import type { Pause } from '../src/database/pause.ts';

/** Pauses that last until the test lets them end. */
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
    /** Resolves when a pause has begun, with its length. */
    begun: () => begun.promise,
    /** Ends the pause that has begun, or will have; resolves when the next begins, with its length. */
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
