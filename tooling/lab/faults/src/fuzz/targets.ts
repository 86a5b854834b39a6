import fc from 'fast-check';
import { ODD_IDS } from './odd-values.ts';
import type { Operation, ServedDocument } from './openapi.ts';
import { schemaValues } from './schema-values.ts';

/**
 * Generates the request's target: the path of the operation and the query that it takes, mostly valid. In bytes, a character
 * each.
 */
export function targetsFor(
  operation: Operation,
  document: ServedDocument,
  known: Readonly<Record<string, readonly string[]>>,
): fc.Arbitrary<string> {
  const names = operation.parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
  const knownOf = (name: string) => known[`${operation.id}.${name}`] ?? known[name];
  const valuesOf = (name: string) =>
    fc.oneof(
      ...knownAs(6, knownOf(name)),
      { weight: 3, arbitrary: fc.constantFrom(...ODD_IDS) },
      { weight: 1, arbitrary: fc.bigInt({ min: -10n, max: 2n ** 70n }).map(String) },
      { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }).map(encodeURIComponent) },
      { weight: 1, arbitrary: fc.string({ unit: visible, maxLength: 12 }) },
    );
  const values = fc.tuple(...names.map(valuesOf));
  const path = values.map((filled) =>
    names.reduce((text, name, index) => text.replace(`{${name}}`, () => filled[index] ?? ''), operation.path),
  );
  const query = queryFor(operation, document, known);
  const target = fc.tuple(path, query).map((parts) => parts.join(''));
  return fc.oneof(
    { weight: 15, arbitrary: target },
    { weight: 1, arbitrary: fc.tuple(target, spellings).map(([right, spelled]) => spelled(right)) },
  );
}

/** Generates a query for an operation that takes one: some parameters twice, most of them valid. */
function queryFor(
  { id, parameters }: Operation,
  document: ServedDocument,
  known: Readonly<Record<string, readonly string[]>>,
): fc.Arbitrary<string> {
  const described = parameters.filter((parameter) => parameter.in === 'query');
  if (described.length === 0) return fc.constant('');
  const pairs = described.map(({ name, schema }) =>
    fc
      .oneof(
        { weight: 4, arbitrary: schemaValues(document, schema).map(textOf) },
        { weight: 2, arbitrary: fc.constantFrom(...ODD_IDS) },
        { weight: 1, arbitrary: fc.string({ unit: visible, maxLength: 12 }) },
        ...knownAs(4, known[`${id}.${name}`] ?? known[name]),
      )
      .map((text) => `${name}=${text}`),
  );
  return fc
    .array(fc.oneof(...pairs), { maxLength: described.length + 1 })
    .map((chosen) => (chosen.length > 0 ? `?${chosen.join('&')}` : ''));
}

const knownAs = (weight: number, values: readonly string[] = []) =>
  values.length > 0 ? [{ weight, arbitrary: fc.constantFrom(...values) }] : [];

const textOf = (value: unknown) => encodeURIComponent(String(value).toWellFormed());

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
