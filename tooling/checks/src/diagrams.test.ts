import { DIAGRAMS } from '@gatehouse/diagrams';
import { expect, test } from 'vitest';
import { listDocuments, listFiles, textOf } from './document-links.ts';

/** A picture in a page: its alternative text, and the name of the diagram. */
interface Embedded {
  readonly page: string;
  readonly name: string;
  readonly alt: string;
}

/** Finds the diagrams that a page shows, by Markdown or by HTML. */
function diagramsIn(page: string, text = textOf(page)): readonly Embedded[] {
  const markdown = text.matchAll(/!\[([^\]]*)\]\([^)\s]*\bdiagrams\/([\w-]+)\.svg\)/g);
  const html = Array.from(text.matchAll(/<img\b[^>]*>/g), ([tag]) => [
    '',
    /\balt="([^"]*)"/.exec(tag)?.[1] ?? '',
    /\bsrc="[^"]*\bdiagrams\/([\w-]+)\.svg"/.exec(tag)?.[1] ?? '',
  ]);
  return [...markdown, ...html]
    .map(([, alt = '', name = '']) => ({ page, name, alt: alt.replaceAll(/\s+/g, ' ').trim() }))
    .filter(({ name }) => name !== '');
}

const embedded = listDocuments().flatMap((page) => diagramsIn(page));

test.each(DIAGRAMS)('a page shows $name, with all that it shows as alternative text', ({ name, text }) => {
  const shown = embedded.filter((each) => each.name === name);
  expect(shown.map(({ alt }) => alt)).toContain(text);
});

test('a page that says less says the first sentences', () => {
  for (const { page, name, alt } of embedded) {
    const text = DIAGRAMS.find((diagram) => diagram.name === name)?.text;
    expect({ page, alt, begins: alt.endsWith('.') && text?.startsWith(alt) }).toMatchObject({ begins: true });
  }
});

test('docs/diagrams has these diagrams and no others', () => {
  const names = DIAGRAMS.map(({ name }) => `docs/diagrams/${name}.svg`);
  expect(listFiles('docs/diagrams/*')).toEqual(names.toSorted());
});

test.each([
  ['![One\ntext](../diagrams/rotation.svg)', 'One text'],
  ['<img alt="One text" src="docs/diagrams/rotation.svg" width="400">', 'One text'],
])('%s is found', (text, alt) => {
  expect(diagramsIn('A.md', text)).toEqual([{ page: 'A.md', name: 'rotation', alt }]);
});
