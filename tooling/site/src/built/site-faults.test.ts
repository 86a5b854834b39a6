import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { siteFaults } from './site-faults.ts';

const page = (body: string, title = 'Page · Gatehouse') =>
  `<!DOCTYPE html><html><head><title>${title}</title></head><body>${body}</body></html>`;

/** Writes a site of two pages and a picture, with one page replaced, and returns its faults. */
function faultsOf(files: Readonly<Record<string, string>>, base = '/handbook/') {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-site-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const site = {
    'index.html': page('<h1 id="top">Home</h1>'),
    'operate/keys.html': page('<h2 id="replace-a-key">Keys</h2>'),
    'assets/picture.png': '',
    ...files,
  };
  for (const [path, text] of Object.entries(site)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return siteFaults(folder, base);
}

test('a site whose links all lead somewhere has no faults', () => {
  const body = `<a href="/handbook/">home</a> <a class="x" href="/handbook/operate/keys.html#replace-a-key">keys</a>
    <a href="#here" id="here">here</a> <a href="../index.html#top">top</a> <a href="mailto:a@acme.example">mail</a>
    <a href="https://acme.example/x">elsewhere</a> <img src="/handbook/assets/picture.png">`;
  expect(faultsOf({ 'operate/other.html': page(body) })).toEqual([]);
});

test.each([
  ['<a href="/handbook/gone.html">', 'leads nowhere: /handbook/gone.html'],
  ['<a href="/operate/keys.html">', 'leads nowhere: /operate/keys.html'],
  ['<a href="/handbook/operate/">', 'leads nowhere: /handbook/operate/'],
  ['<a href="/handbook/operate/keys.html#gone">', 'no such anchor: /handbook/operate/keys.html#gone'],
  ['<a href="#gone">', 'no such anchor: #gone'],
  ['<source srcset="/handbook/gone.png">', 'leads nowhere: /handbook/gone.png'],
  ['<img src="https://acme.example/x.png">', 'another host: https://acme.example/x.png'],
  ['<link rel="stylesheet" href="//acme.example/x.css">', 'another host: //acme.example/x.css'],
  ['<script>alert(1)</script>', 'a script or style in the page'],
  ['<style>p { color: red }</style>', 'a script or style in the page'],
])('a fault is found: %s', (body, fault) => {
  expect(faultsOf({ 'page.html': page(body) })).toEqual([`page.html: ${fault}`]);
});

test('a page without a title, and a style sheet with a font of another host, are found', () => {
  expect(faultsOf({ 'page.html': page('', ' · Gatehouse') })).toEqual(['page.html: no title']);
  const font = '@font-face { src: url("https://fonts.example/a.woff2") }';
  expect(faultsOf({ 'assets/style.css': font })).toEqual(['assets/style.css: another host']);
});
