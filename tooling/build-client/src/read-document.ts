import { readFileSync } from 'node:fs';
import type { ClientDocument } from './document.ts';

/**
 * Reads the OpenAPI document of a server.
 *
 * @throws Error with what is wrong with the file
 */
export function readDocument(file: string): ClientDocument {
  const text = readText(file);
  try {
    const document: ClientDocument = JSON.parse(text);
    if (document.paths && document.components) return document;
  } catch {
    // Text that is not JSON is not a document either.
  }
  throw new Error(`${file} is not an OpenAPI document: save the /openapi.json of a server`);
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(code === 'ENOENT' ? `no file ${file}` : `${file} cannot be read (${code})`);
  }
}
