import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { toAscii } from './ascii-templates.ts';
import { bundleCheckout } from './bundle-checkout.ts';
import { currentProgram, ROOT } from './current.cjs';

const NOT_ASCII = /[\u0080-\uffff]/;

test('an escaped template has the same text', () => {
  const code = 'tag`the page’s – “😀”`';
  const escaped = toAscii(code);
  expect(escaped).not.toMatch(NOT_ASCII);
  const tag = ([text]: TemplateStringsArray) => text;
  expect(runInNewContext(escaped, { tag })).toBe('the page’s – “😀”');
});

test('each character of the server’s bundle is ASCII', async () => {
  await bundleCheckout(['gatehouse-server']);
  const folder = dirname(currentProgram('gatehouse-server') ?? '');
  const files = readdirSync(folder).filter((name) => name.endsWith('.js'));
  expect(files.length).toBeGreaterThan(5);
  expect(files.filter((name) => NOT_ASCII.test(readFileSync(join(folder, name), 'utf8')))).toEqual([]);
}, 180_000);

test('no source reads the raw text of a template with other characters', () => {
  const sources = ['apps', 'packages'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\/src\/.*\.ts$/.test(path) && !/node_modules|\.test\.ts$/.test(path))
      .map((path) => join(ROOT, folder, path)),
  );
  expect(sources.length).toBeGreaterThan(500);
  const raw = sources.filter((path) => /String\.raw`[^`]*[\u0080-\uffff]/.test(readFileSync(path, 'utf8')));
  expect(raw).toEqual([]);
});
