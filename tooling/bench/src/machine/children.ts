import type { ChildProcess } from 'node:child_process';

const children = new Set<ChildProcess>();
let isEnding = false;

/** Every program that is started goes through here, so that none stays behind. */
export function tracked<T extends ChildProcess>(child: T): T {
  children.add(child);
  child.on('exit', () => children.delete(child));
  if (isEnding) child.kill();
  return child;
}

/** Ends what runs and whatever is started from now on; whoever waits for a result gets an error. */
export function endChildren(): void {
  isEnding = true;
  for (const child of children) child.kill();
}
