import type { ChildProcess } from 'node:child_process';

const children = new Set<ChildProcess>();
let isEnding = false;

/** Every program is started here, so that none is left running. */
export function tracked<T extends ChildProcess>(child: T): T {
  children.add(child);
  child.on('exit', () => children.delete(child));
  if (isEnding) child.kill();
  return child;
}

/** Stops all running programs, and any started later; waiting callers get an error. */
export function endChildren(): void {
  isEnding = true;
  for (const child of children) child.kill();
}
