import { type Item, linkTo, type Read, readSections, type Section } from './sections.ts';

export interface Navigation {
  /** The bar above each page. */
  readonly nav: { text: string; link: string; activeMatch: string }[];
  /** The list beside a page, by the beginning of the page's address. */
  readonly sidebar: Record<string, Item[]>;
}

/**
 * Makes the navigation: a page shows the list of its section, which keeps pages small, and the bar leads to the others.
 * @param pages all pages, with their places in the site
 */
export function makeNavigation(read: Read, pages: ReadonlyMap<string, string>): Navigation {
  const sections = readSections(read, pages);
  const nav = sections.map((section) => ({
    text: section.title,
    link: section.items[0]?.link ?? '/',
    activeMatch: `^(?:${startsOf(section).join('|')})`,
  }));
  const sidebar: Record<string, Item[]> = {};
  for (const section of sections) {
    for (const start of startsOf(section)) {
      sidebar[start] ??= [{ text: section.title, items: section.items }, ...section.groups];
    }
  }
  const others = [...pages].flatMap(([file, place]) => {
    const link = linkTo(place) ?? '/';
    return place.includes('/') || link in sidebar ? [] : [{ text: titleOf(read(file)), link }];
  });
  const overview = sections.map(({ title, items }) => ({ text: title, link: items[0]?.link ?? '/' }));
  sidebar['/'] = [
    { text: 'Overview', items: others.toSorted((a, b) => rankOf(a.link) - rankOf(b.link)) },
    { text: 'Documentation', items: overview },
  ];
  return { nav, sidebar };
}

/** The pages of the root that readers look for first, in this order. The others follow. */
const ROOT_PAGES = ['/', '/docs', '/why', '/security', '/changelog'];

function rankOf(link: string): number {
  const place = ROOT_PAGES.indexOf(link);
  return place === -1 ? ROOT_PAGES.length : place;
}

/** The folders of the section's pages, and the addresses of those that are in no folder. */
function startsOf({ items, groups }: Section): readonly string[] {
  const links = (all: readonly Item[]): readonly string[] =>
    all.flatMap(({ link, items: below = [] }) => [...(link === undefined ? [] : [link]), ...links(below)]);
  return [...new Set(links([...items, ...groups]).map((link) => link.match(/^\/[^/]+\//)?.[0] ?? link))];
}

const titleOf = (page: string): string => page.match(/^# (.+)$/m)?.[1] ?? '';
