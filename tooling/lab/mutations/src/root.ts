import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));

/** Returns the absolute path of a file, given from the root. */
export function pathOf(path: string): string {
  return join(ROOT, path);
}
