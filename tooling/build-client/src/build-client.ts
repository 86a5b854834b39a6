import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packLibrary, ROOT } from '@gatehouse/build-kit';
import type { ClientDocument } from './document.ts';
import { printOperations } from './print-operations.ts';

/**
 * Packs the client as JavaScript with declarations.
 *
 * @param document the OpenAPI document whose operations it has, such as that of a server with extensions
 * @returns the path of the tarball in `folder`
 * @throws Error with what the compiler says
 */
export function buildClient(folder: string, document: ClientDocument): string {
  return packLibrary(join(ROOT, 'packages/client'), {
    folder,
    oldestNode: '20.3',
    change: (sources) => writeFileSync(join(sources, 'operations.ts'), printOperations(document)),
  });
}
