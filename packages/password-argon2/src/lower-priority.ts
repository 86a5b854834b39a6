import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

/**
 * Lets other threads go before this one: it gets what they leave, and next to nothing where they leave nothing.
 * Only on Linux does this call reach one thread alone, so elsewhere nothing is changed.
 */
export function lowerPriority(): void {
  if (process.platform !== 'linux') return;
  // <process>/task/<thread>
  const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
  setPriority(thread, constants.priority.PRIORITY_LOW);
}
