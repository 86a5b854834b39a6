import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { digestOf } from './digests.ts';

/** The name of the file in a release. `sha256sum --check` reads it. */
export const CHECKSUMS = 'SHA256SUMS';

/** Returns the text of the file for these files: a line for each, sorted by name. */
export function checksumsOf(files: readonly string[]): string {
  return files
    .toSorted()
    .map((file) => `${digestOf(file, 'sha256')}  ${basename(file)}\n`)
    .join('');
}

/**
 * Reads the file.
 *
 * @returns the hash of each file by its name
 * @throws Error if a line has another form
 */
export function readChecksums(path: string): ReadonlyMap<string, string> {
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  return new Map(
    lines.map((line) => {
      const [, digest = '', name = ''] = /^([0-9a-f]{64}) [ *]([\w.-]+)$/.exec(line) ?? [];
      if (name === '')
        throw new Error(`${CHECKSUMS} has the line "${line}": expected a hash, two spaces and a file name`);
      return [name, digest];
    }),
  );
}
