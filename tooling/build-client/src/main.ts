// npm run build:client [-- FILE]: packs the client into dist/client, by default with the operations of Gatehouse alone.
// FILE is the /openapi.json of a server; the client then has methods for its extensions.
import { join, relative } from 'node:path';
import { createOpenApiDocument } from '@gatehouse/api-contract';
import { ROOT } from '@gatehouse/build-kit';
import { buildClient } from './build-client.ts';
import type { ClientDocument } from './document.ts';
import { readDocument } from './read-document.ts';

const [file] = process.argv.slice(2);
console.log(relative(ROOT, buildClient(join(ROOT, 'dist/client'), documentOrExit())));

function documentOrExit(): ClientDocument {
  if (file === undefined) return JSON.parse(JSON.stringify(createOpenApiDocument('paseto')));
  try {
    return readDocument(file);
  } catch (error) {
    console.error(`error: ${(error as Error).message}`);
    process.exit(2);
  }
}
