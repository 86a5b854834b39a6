import { setTimeout } from 'node:timers/promises';

/** Resolves after the given milliseconds, or as soon as the signal is aborted. */
export type Pause = (milliseconds: number, signal?: AbortSignal) => Promise<void>;

/** Waits by a timer that does not keep the process alive. */
export const pause: Pause = (milliseconds, signal) =>
  setTimeout(milliseconds, undefined, { ref: false, ...(signal && { signal }) }).catch(() => undefined);
