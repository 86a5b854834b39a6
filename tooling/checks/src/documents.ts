import { readFile } from 'node:fs/promises';
import { readResults, reliabilityDocument } from '@gatehouse/faults';
import { accessDocument } from './access-document.ts';
import { cliDocument } from './cli-document.ts';

/** The documents that are printed from the code or from what was measured, by their paths from the root. */
export const DOCUMENTS: Readonly<Record<string, () => string | Promise<string>>> = {
  'docs/access.md': accessDocument,
  'docs/cli.md': cliDocument,
  'docs/reliability.md': async () => reliabilityDocument(await readResults()),
};

export function locationOf(path: string): URL {
  return new URL(`../../../${path}`, import.meta.url);
}

/** The paths of those that are not what the code prints now. */
export async function outdatedDocuments(): Promise<readonly string[]> {
  const paths = Object.entries(DOCUMENTS).map(async ([path, print]) => {
    const written = await readFile(locationOf(path), 'utf8').catch(() => '');
    return written === (await print()) ? [] : [path];
  });
  return (await Promise.all(paths)).flat();
}
