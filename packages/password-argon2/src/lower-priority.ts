import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

/**
 * Gives this thread the lowest priority: it gets little time while other threads use all cores. Only on Linux can this
 * call address a single thread, so elsewhere it does nothing.
 */
export function lowerPriority(): void {
  if (process.platform !== 'linux') return;
  // The link's target is <process>/task/<thread>.
  const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
  setPriority(thread, constants.priority.PRIORITY_LOW);
}
