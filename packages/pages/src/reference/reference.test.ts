import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { servePages } from '../../testing/serve-pages.ts';
import { clientProgram } from './introduction.ts';
import { SNIPPETS } from './snippets.ts';

test('the stylesheet shows one language of the examples for each choice that the page offers', async () => {
  await using scene = await servePages();
  const { html } = await scene.visitor().get('/docs');
  const offered = [...html.matchAll(/name="examples" value="(\w+)"/g)].map(([, value]) => value);
  expect(offered).toEqual(['all', ...Object.keys(SNIPPETS)]);
  const css = readFileSync(new URL('../assets/reference.css', import.meta.url), 'utf8');
  const hiding = [
    ...css.matchAll(/:has\(input\[value="(\w+)"\]:checked\) \.example:not\(\[data-in="(\w+)"\]\)/g),
  ];
  expect(hiding.map(([, chosen, kept]) => [chosen, kept])).toEqual(
    Object.keys(SNIPPETS).map((language) => [language, language]),
  );
});

test('the program by the typed client is that of its README, which a test compiles and runs', () => {
  const readme = readFileSync(new URL('../../../client/README.md', import.meta.url), 'utf8');
  expect(readme).toContain(`\n\`\`\`ts\n${clientProgram('http://localhost:8080')}\n\`\`\`\n`);
});

test('no example has a character that pages replace, such as a tab', async () => {
  await using scene = await servePages();
  const { html } = await scene.visitor().get('/docs');
  expect(html).toContain('package main');
  expect(html).not.toContain('\u{fffd}');
});
