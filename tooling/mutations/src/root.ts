import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** A file of this checkout, by its path from the root. */
export function pathOf(path: string): string {
  return join(ROOT, path);
}
