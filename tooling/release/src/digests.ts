import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** Returns the hash of a file, in hexadecimal. */
export function digestOf(file: string, algorithm: 'sha256' | 'sha512'): string {
  return createHash(algorithm).update(readFileSync(file)).digest('hex');
}
