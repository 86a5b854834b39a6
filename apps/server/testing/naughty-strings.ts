import { readFileSync } from 'node:fs';

/** Texts that programs have shown, stored or run as something else than the text that they are. */
export const NAUGHTY_STRINGS: readonly string[] = JSON.parse(
  readFileSync(new URL('vectors/naughty-strings.json', import.meta.url), 'utf8'),
);

/** The tags, attributes and addresses of a page without its texts and values: what a text must never change. */
export function structureOf(html: string): string {
  const tags = html.match(/<\/?[a-z!][^>]*>/gi) ?? [];
  return tags.map((tag) => tag.replace(/ (value|title|content)="[^"]*"/g, ' $1')).join('');
}
