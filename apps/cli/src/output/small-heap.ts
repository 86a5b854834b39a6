import { setFlagsFromString } from 'node:v8';

/**
 * Makes V8 look for garbage sooner. It lets a heap grow to several times its size before it does, which is fast where
 * memory is plenty; but a command that reads a million records needs each for a moment only, and shares the machine
 * with servers. V8 reads this setting whenever it decides how far the heap may grow.
 */
export function staySmall(): void {
  setFlagsFromString('--heap-growing-percent=50');
}
