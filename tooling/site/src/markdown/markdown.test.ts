import { createMarkdownRenderer } from 'vitepress';
import { expect, test } from 'vitest';
import { ROOT } from '../pages.ts';
import { copiedFiles, markdownOptions } from './markdown.ts';

const BASE = '/handbook/';
const renderer = createMarkdownRenderer(ROOT, markdownOptions(BASE), BASE);

/** Renders Markdown as that of a file, which keeps its path from the root although the site has it elsewhere. */
async function render(markdown: string, file = 'docs/operate/settings.md') {
  const env = { path: ROOT + file, realPath: ROOT + file, relativePath: 'elsewhere.md', cleanUrls: false };
  return (await renderer).render(markdown, env);
}

test('a link to a document leads to its page', async () => {
  expect(await render('[keys](keys.md#replace-a-signing-key)')).toContain(
    '<a href="/handbook/operate/keys.html#replace-a-signing-key">keys</a>',
  );
  expect(await render('[home](../../README.md)')).toContain('<a href="/handbook/">home</a>');
});

test('a link to a file of docs is a download of the copy', async () => {
  expect(await render('[alerts](alerts.yml)')).toContain(
    '<a href="/handbook/operate/alerts.yml" download="">alerts</a>',
  );
  expect(copiedFiles.get('docs/operate/alerts.yml')).toBe('operate/alerts.yml');
});

test('a link to a source is a text with the path as its title', async () => {
  const html = await render('See [`serve.ts`](../../packages/http/src/serve.ts), [keys](keys.md).');
  expect(html).toContain(
    '<span class="source" title="packages/http/src/serve.ts in the repository"><code>serve.ts</code></span>',
  );
  expect(html).toContain('>keys</a>');
});

test('pictures in HTML are relative to their file', async () => {
  const html =
    '<picture>\n<source srcset="docs/pictures/tokens-dark.png">\n<img src="docs/pictures/tokens-light.png">\n</picture>\n';
  expect(await render(html, 'README.md')).toContain(
    'srcset="./docs/pictures/tokens-dark.png">\n<img src="./docs/pictures/tokens-light.png">',
  );
});

test('anchors are those of GitHub', async () => {
  const html = await render(
    '# The `a.b` file\n\n## Who, what\n\n## Who, what\n\n## [Linked](keys.md) & more\n',
  );
  expect([...html.matchAll(/<h\d id="([^"]+)"/g)].map(([, id]) => id)).toEqual([
    'the-ab-file',
    'who-what',
    'who-what-1',
    'linked--more',
  ]);
});

test('braces are not an expression of Vue, in prose or code', async () => {
  expect(await render('A {{ .Values }} and `{{ b }}`')).toBe(
    '<p>A &#123;&#123; .Values }} and <code>&#123;&#123; b }}</code></p>\n',
  );
});

test('a name in the first column of a table has an anchor, and none in another place', async () => {
  const html = await render(
    '## port\n\n`HOST`\n\n| setting | meaning |\n|---|---|\n| `HOST`, `port` | not `OTHER` |\n| `HOST` | again |\n',
  );
  expect([...html.matchAll(/<code [^>]*id="([^"]+)"/g)].map(([, id]) => id)).toEqual(['HOST']);
});
