import { expect, test } from 'vitest';
import {
  anchorsOf,
  brokenLinks,
  linksOf,
  listDocuments,
  listFiles,
  missingDocuments,
  textOf,
} from './document-links.ts';
import { DOCUMENTS } from './documents.ts';

/** Written by `npm run bench`, and therefore not by `npm run docs`. */
const GENERATED = [...Object.keys(DOCUMENTS), 'docs/develop/benchmarks.md'];

const MAX_BYTES = 12 * 1024;

const pages = listFiles('docs/*.md');
const linkedFrom = (document: string) => linksOf(textOf(document), document).map(({ path }) => path);

test('every link of a document leads to a file, and to a heading if it names one', () => {
  expect(brokenLinks(listDocuments())).toEqual([]);
});

test.each([
  ['[a](gone.md)', 'docs/page.md: docs/gone.md'],
  ['[a](#gone)', 'docs/page.md: docs/page.md#gone'],
  ['[a](../README.md#gone)', 'docs/page.md: README.md#gone'],
  ['<img src="gone.png">', 'docs/page.md: docs/gone.png'],
])('a link that leads nowhere is found: %s', (text, broken) => {
  const read = (path: string) => (path === 'docs/page.md' ? text : textOf(path));
  expect(brokenLinks(['docs/page.md'], read)).toContain(broken);
});

test('links in code, and links to other sites, are not checked', () => {
  const text = '`[a](gone.md)` [b](https://gatehouse.example)\n```text\n[c](gone.md)\n```\n';
  expect(linksOf(text, 'docs/page.md')).toEqual([]);
});

test('anchors are those of GitHub', () => {
  const text =
    '# The `a.b` file\n## Who, what\n## Who, what\n```sh\n# no heading\n```\n### [Linked](x.md) & more\n';
  expect([...anchorsOf(text)]).toEqual(['the-ab-file', 'who-what', 'who-what-1', 'linked--more']);
});

test('every path below docs that a file names exists', () => {
  const named = listFiles(
    '*.ts',
    '*.mjs',
    '*.js',
    '*.yaml',
    '*.yml',
    '*.cfg',
    '*.toml',
    '*Dockerfile',
    '*.md',
    'gatehouse',
  )
    // These name pages that do not exist, as examples.
    .filter((path) => !/^tooling\/checks\/src\/(?:document-links|npx)\.test\.ts$/.test(path))
    .flatMap((path) => missingDocuments(textOf(path)).map((missing) => `${path}: ${missing}`));
  expect(named).toEqual([]);
});

test('a path that does not exist is found', () => {
  expect(missingDocuments("see docs/gone.md, docs/README.md and '../../docs/gone/x.cfg'.")).toEqual([
    'docs/gone.md',
    'docs/gone/x.cfg',
  ]);
});

/** The table of contents. It has a line for each page. */
const INDEX = 'docs/README.md';

test(`no page that is written by hand is above ${MAX_BYTES} bytes`, () => {
  const large = pages
    .filter((page) => page !== INDEX && !GENERATED.includes(page))
    .map((page) => ({ page, bytes: Buffer.byteLength(textOf(page)) }))
    .filter(({ bytes }) => bytes > MAX_BYTES);
  expect(large).toEqual([]);
});

test('docs/README.md links to each page, and docs/adr/README.md to each decision', () => {
  const listed = new Set([...linkedFrom(INDEX), ...linkedFrom('docs/adr/README.md')]);
  expect(pages.filter((page) => page !== INDEX && !listed.has(page))).toEqual([]);
  expect(linkedFrom(INDEX).filter((path) => path.startsWith('docs/adr/0'))).toEqual([]);
});
