import { setTimeout } from 'node:timers/promises';

/** Resolves after so many milliseconds, or as soon as it is given up. */
export type Pause = (milliseconds: number, signal?: AbortSignal) => Promise<void>;

/** By the machine's timer, which keeps no process alive. */
export const pause: Pause = (milliseconds, signal) =>
  setTimeout(milliseconds, undefined, { ref: false, ...(signal && { signal }) }).catch(() => undefined);
