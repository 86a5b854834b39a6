import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { circlesIn, closing, type Import } from './import-circles/circles.ts';
import { type ImportGraph, readImports } from './import-circles/import-graph.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** In a larger circle, no file can be understood alone, because each leads to all others. */
const MAX_FILES = 7;

const graphOf = (imports: Record<string, readonly string[]>): ImportGraph => new Map(Object.entries(imports));

test(`no circle of imports, with those of types, has more than ${MAX_FILES} files`, () => {
  const graph = readImports(ROOT, ['packages', 'apps']);
  expect(graph.size).toBeGreaterThan(1000);
  const large = circlesIn(graph).filter(({ length }) => length > MAX_FILES);
  expect(large.map((files) => explain(files, closing(graph, files, MAX_FILES))).join('\n')).toBe('');
});

test('imports of types, of another package and of what is loaded later are read', () => {
  const graph = readImports(ROOT, ['packages', 'apps']);
  expect(graph.get('packages/domain/src/ports.ts')).toContain('packages/domain/src/time/clock.ts');
  expect(graph.get('apps/cli/src/cli.ts')).toContain('packages/domain/src/tokens/index.ts');
  expect(graph.get('packages/domain/src/errors.ts')).toContain('packages/domain/src/tokens/index.ts');
});

test('a circle has all files that import each other, directly or not, and no others', () => {
  const graph = graphOf({ a: ['b'], b: ['c', 'd'], c: ['a'], d: ['e'], e: ['d'], f: ['a'] });
  expect(circlesIn(graph).map((files) => files.toSorted())).toEqual([
    ['a', 'b', 'c'],
    ['d', 'e'],
  ]);
});

test('the imports that close a circle are named', () => {
  const graph = graphOf({ hub: ['a', 'b', 'c'], a: ['hub'], b: ['hub'], c: ['d'], d: ['hub'] });
  const [circle = []] = circlesIn(graph);
  expect(closing(graph, circle, 2)).toEqual([
    { from: 'hub', to: 'c' },
    { from: 'hub', to: 'a' },
  ]);
});

function explain(files: readonly string[], imports: readonly Import[]): string {
  return [
    `${files.length} files import each other:`,
    ...files.toSorted().map((file) => `  ${file}`),
    'It is closed by these imports. Import a file in place of its index.ts, or move the type into a file of its own:',
    ...imports.map(({ from, to }) => `  ${from} imports ${to}`),
  ].join('\n');
}
