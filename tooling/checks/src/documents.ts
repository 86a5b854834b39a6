import { readFile } from 'node:fs/promises';
import { createOpenApiDocument } from '@gatehouse/api-contract';
import { printOperations } from '@gatehouse/build-client';
import { DIAGRAMS, printDiagram } from '@gatehouse/diagrams';
import { readResults, reliabilityDocument } from '@gatehouse/faults';
import {
  MUTATIONS_PAGE,
  mutationsDocument,
  readMutationResults,
  readRequirements,
} from '@gatehouse/mutations';
import { accessDocument } from './access-document.ts';
import { cliDocument } from './cli-document.ts';
import { kitTypesDocument } from './kit-types/kit-types-document.ts';
import { refusalsDocument } from './refusals-document.ts';
import { SETTINGS_PAGE, settingsDocument } from './settings/settings-document.ts';

/** The generated documents, by their paths from the root. */
export const DOCUMENTS: Readonly<Record<string, () => string | Promise<string>>> = {
  'docs/administer/access.md': accessDocument,
  'docs/administer/cli.md': cliDocument,
  'docs/operate/identity-providers/refusals.md': refusalsDocument,
  [SETTINGS_PAGE]: settingsDocument,
  'docs/extend/kit-types.md': kitTypesDocument,
  'packages/client/src/operations.ts': clientOperations,
  [MUTATIONS_PAGE]: () => mutationsDocument(readRequirements(), readMutationResults()),
  'docs/develop/reliability.md': async () => reliabilityDocument(await readResults()),
  ...Object.fromEntries(DIAGRAMS.map((each) => [`docs/diagrams/${each.name}.svg`, () => printDiagram(each)])),
};

function clientOperations(): string {
  return printOperations(JSON.parse(JSON.stringify(createOpenApiDocument('paseto'))));
}

export function locationOf(path: string): URL {
  return new URL(`../../../${path}`, import.meta.url);
}

/** Returns the paths of the documents that are out of date. */
export async function outdatedDocuments(): Promise<readonly string[]> {
  const paths = Object.entries(DOCUMENTS).map(async ([path, print]) => {
    const written = await readFile(locationOf(path), 'utf8').catch(() => '');
    return written === (await print()) ? [] : [path];
  });
  return (await Promise.all(paths)).flat();
}
