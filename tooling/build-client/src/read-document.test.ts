import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readDocument } from './read-document.ts';

test('a file that is no document of a server is refused, with what to do', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-document-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'openapi.json');
  expect(() => readDocument(file)).toThrow(`no file ${file}`);
  expect(() => readDocument(folder)).toThrow('cannot be read (EISDIR)');
  for (const text of ['<html>', '{}', 'null', '7']) {
    writeFileSync(file, text);
    expect(() => readDocument(file), text).toThrow('is not an OpenAPI document: save the /openapi.json');
  }
  writeFileSync(file, '{"paths":{},"components":{}}');
  expect(readDocument(file)).toEqual({ paths: {}, components: {} });
});
