import { expect, test } from 'vitest';
import { splitSections } from './split-sections.ts';
import { weightOf } from './weights.ts';

const heading = (level: number, id: string, text: string) =>
  `<h${level} id="${id}" tabindex="-1">${text} <a class="header-anchor" href="#${id}">&ZeroWidthSpace;</a></h${level}>`;

test('a section has its own text and the titles above it', () => {
  const html = [
    heading(1, 'keys', 'Keys'),
    '<p>About <code>keys</code> &amp; more</p>',
    heading(2, 'replace', 'Replace'),
    '<div class="language-sh"><button title="Copy Code" class="copy"></button><span class="lang">sh</span><pre>run</pre></div>',
    heading(3, 'safely', 'Safely: <code>&lt;id&gt;</code>'),
    heading(2, 'list', 'List'),
  ].join('\n');
  expect(splitSections(html)).toEqual([
    { anchor: 'keys', titles: ['Keys'], text: 'About keys & more' },
    { anchor: 'replace', titles: ['Keys', 'Replace'], text: 'run' },
    { anchor: 'safely', titles: ['Keys', 'Replace', 'Safely: &lt;id&gt;'], text: '' },
    { anchor: 'list', titles: ['Keys', 'List'], text: '' },
  ]);
});

test('a row of names is a section for each name, and not a part of its own section', () => {
  const row =
    '<tr>\n<td><code id="HOST">HOST</code>, <code id="OPS_PORT">OPS_<wbr>PORT</code></td>\n<td>the address</td>\n</tr>';
  const other = '<tr>\n<td>other</td>\n</tr>';
  expect(splitSections(`${heading(1, 'settings', 'Settings')}<table>${row}${other}</table>`)).toEqual([
    { anchor: 'settings', titles: ['Settings'], text: 'other' },
    { anchor: 'HOST', titles: ['Settings', 'HOST'], text: 'HOST , OPS_PORT the address' },
    { anchor: 'OPS_PORT', titles: ['Settings', 'OPS_PORT'], text: 'HOST , OPS_PORT the address' },
  ]);
});

test('a setting counts more than a mention, and a generated page less than a guide', () => {
  const weight = (path: string) => weightOf(`/handbook/${path}`, ['Above'], '/handbook/');
  expect(weight('operate/settings.html#HOST')).toBeGreaterThan(weight('operate/keys.html#list'));
  expect(weight('develop/reliability.html#kills')).toBeLessThan(weight('develop/testing.html#browser'));
  expect(weight('develop/testing.html#browser')).toBeLessThan(weight('operate/keys.html#list'));
  expect(weightOf('/operate/keys.html#keys', [], '/')).toBeGreaterThan(
    weightOf('/operate/keys.html#list', ['Keys'], '/'),
  );
});
