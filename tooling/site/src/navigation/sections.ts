import { posix } from 'node:path';

/** A line of the navigation, in the form that VitePress takes. */
export interface Item {
  readonly text: string;
  /** A path of the site without `.md` at its end. */
  readonly link?: string;
  items?: Item[];
  readonly collapsed?: boolean;
}

export interface Section {
  readonly title: string;
  readonly items: Item[];
  /** The groups of pages that follow the items. */
  readonly groups: Item[];
}

/** Reads a Markdown file, by its path from the root. */
export type Read = (file: string) => string;

const INDEX = 'docs/README.md';
const DECISIONS = 'docs/adr/README.md';

/**
 * Reads the sections of the documentation from `docs/README.md`: the pages that each links to, in its order. Pages of a
 * folder stand below the folder's own page. The decisions have a group for each subject.
 * @param pages all pages, with their places in the site
 */
export function readSections(read: Read, pages: ReadonlyMap<string, string>): readonly Section[] {
  return partsOf(read(INDEX)).flatMap(({ title, text }) => {
    const items = linkedPages(text, INDEX, pages);
    const hasDecisions = items.some(({ link }) => link === linkTo(pages.get(DECISIONS)));
    const subjects = hasDecisions ? readSubjects(read(DECISIONS), pages) : [];
    return items.length === 0 ? [] : [{ title, items: nested(items), groups: subjects }];
  });
}

function readSubjects(text: string, pages: ReadonlyMap<string, string>): Item[] {
  return partsOf(text).map((part) => ({
    text: part.title,
    items: [...part.text.matchAll(/^- \[(\d+)\]\(([^)]+)\): (.+(?:\n {2}.+)*)/gm)].flatMap(
      ([, number, path = '', title = '']) => {
        const link = linkTo(pages.get(posix.join(posix.dirname(DECISIONS), path)));
        return link === undefined ? [] : [{ text: `${number}. ${label(title)}`, link }];
      },
    ),
  }));
}

/** Puts `security/users` below `security`, and `providers/okta` below `providers/`. */
function nested(items: readonly Item[]): Item[] {
  const parentOf = ({ link = '' }: Item) =>
    items.find((other) => other.link !== link && link.startsWith(`${other.link?.replace(/\/$/, '')}/`));
  return items
    .filter((item) => parentOf(item) === undefined)
    .map((item) => {
      const below = items.filter((other) => parentOf(other) === item);
      return below.length === 0 ? item : { ...item, items: below, collapsed: true };
    });
}

function linkedPages(text: string, file: string, pages: ReadonlyMap<string, string>): Item[] {
  const items = new Map<string, Item>();
  for (const [, name = '', path = ''] of text.matchAll(/\[([^\]]+)\]\(([^)#\s]+)(?:#[^)]*)?\)/g)) {
    const link = linkTo(pages.get(posix.join(posix.dirname(file), path)));
    if (link !== undefined && !items.has(link)) items.set(link, { text: label(name), link });
  }
  return [...items.values()];
}

/** The parts of a page below its headings of the second level. */
function partsOf(page: string): readonly { readonly title: string; readonly text: string }[] {
  const parts = page.split(/^## /m).slice(1);
  return parts.map((part) => {
    const end = part.indexOf('\n');
    return { title: part.slice(0, end), text: part.slice(end) };
  });
}

/** The address of a page without `.md` and `index.md`. */
export const linkTo = (place: string | undefined): string | undefined =>
  place === undefined ? undefined : `/${place.replace(/\.md$/, '').replace(/(^|\/)index$/, '$1')}`;

function label(markdown: string): string {
  const plain = markdown.replaceAll(/[`*]/g, '').replaceAll(/\s+/g, ' ');
  // CONTRIBUTING is the name of a file.
  const text = /^[A-Z]{6,}$/.test(plain) ? plain.toLowerCase() : plain;
  return text.charAt(0).toUpperCase() + text.slice(1);
}
