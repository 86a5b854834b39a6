// npm run build:client [-- FILE]: packs the client into dist/client, by default with the operations of Gatehouse alone.
// FILE is the /openapi.json of a server; the client then has methods for its extensions.
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { createOpenApiDocument } from '@gatehouse/api-contract';
import { ROOT } from '@gatehouse/build-kit';
import { buildClient } from './build-client.ts';
import type { ClientDocument } from './document.ts';

const [file] = process.argv.slice(2);
const text =
  file === undefined ? JSON.stringify(createOpenApiDocument('paseto')) : readFileSync(file, 'utf8');
const document: ClientDocument = JSON.parse(text);
console.log(relative(ROOT, buildClient(join(ROOT, 'dist/client'), document)));
