import { readFile } from 'node:fs/promises';
import { accessDocument } from './access-document.ts';
import { cliDocument } from './cli-document.ts';

/** The documents that are printed from the code, by their paths from the root of the repository. */
export const DOCUMENTS: Readonly<Record<string, () => string>> = {
  'docs/access.md': accessDocument,
  'docs/cli.md': cliDocument,
};

export function locationOf(path: string): URL {
  return new URL(`../../../${path}`, import.meta.url);
}

/** The paths of those that are not what the code prints now. */
export async function outdatedDocuments(): Promise<readonly string[]> {
  const paths = Object.entries(DOCUMENTS).map(async ([path, print]) => {
    const written = await readFile(locationOf(path), 'utf8').catch(() => '');
    return written === print() ? [] : [path];
  });
  return (await Promise.all(paths)).flat();
}
