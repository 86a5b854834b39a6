import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

/**
 * Gives the current thread the lowest priority: it gets little CPU time while other threads use all cores. Only Linux
 * can set the priority of a single thread, so this function does nothing on other systems.
 */
export function lowerPriority(): void {
  if (process.platform !== 'linux') return;
  // The target of the link `/proc/thread-self` is <process>/task/<thread>.
  const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
  setPriority(thread, constants.priority.PRIORITY_LOW);
}
