import { writeFile } from 'node:fs/promises';
import { DOCUMENTS, locationOf } from './documents.ts';

for (const [path, print] of Object.entries(DOCUMENTS)) await writeFile(locationOf(path), await print());
