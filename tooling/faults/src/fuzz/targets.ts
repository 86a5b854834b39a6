import fc from 'fast-check';
import { ODD_IDS } from './odd-values.ts';
import type { Operation } from './openapi.ts';

/** Generates the request's target: the path of the operation, mostly valid. In bytes, a character each. */
export function targetsFor(operation: Operation, ids: readonly string[]): fc.Arbitrary<string> {
  const names = operation.parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
  const value = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...ids) },
    { weight: 3, arbitrary: fc.constantFrom(...ODD_IDS) },
    { weight: 1, arbitrary: fc.bigInt({ min: -10n, max: 2n ** 70n }).map(String) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }).map(encodeURIComponent) },
    { weight: 1, arbitrary: fc.string({ unit: visible, maxLength: 12 }) },
  );
  const values = fc.tuple(...names.map(() => value));
  const path = values.map((filled) =>
    names.reduce((text, name, index) => text.replace(`{${name}}`, () => filled[index] ?? ''), operation.path),
  );
  return fc.oneof(
    { weight: 15, arbitrary: path },
    { weight: 1, arbitrary: fc.tuple(path, spellings).map(([right, spelled]) => spelled(right)) },
  );
}

/** Everything that can be in a request line, valid or not: every byte except white space and line ends. */
const visible = fc.integer({ min: 0x21, max: 0xff }).map((code) => String.fromCharCode(code));

/** Other spellings of a path, which parsers may take for the same. */
const spellings = fc.constantFrom<(path: string) => string>(
  (path) => `/${path}`,
  (path) => `${path}/`,
  (path) => path.replace('/', '/./'),
  (path) => `/x/..${path}`,
  (path) => path.toUpperCase(),
  (path) => path.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
  (path) => `${path}?`,
  (path) => `${path}?access_token=x&page=1`,
  (path) => `${path}?${'a=b&'.repeat(500)}`,
  (path) => `${path}#fragment`,
  (path) => `${path};a=b`,
  (path) => `${path}%00`,
  (path) => `http://evil.example${path}`,
  (path) => `ftp://evil.example${path}`,
  (path) => path.slice(1),
  (path) => path.replaceAll('/', '\\'),
  () => '*',
  () => '/',
);
