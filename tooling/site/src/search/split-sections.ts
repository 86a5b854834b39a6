/** A part of a page that the search finds by itself. */
export interface Section {
  readonly anchor: string;
  /** The titles from the page's to the section's own, as HTML without elements. */
  readonly titles: readonly string[];
  readonly text: string;
}

const HEADING = /<h([1-6]) id="([^"]*)"[^>]*>(.*?)<a class="header-anchor"[^>]*>.*?<\/a><\/h\1>/gs;
const ROW = /<tr>\s*<td[^>]*>(.*?)<\/tr>/gs;
const ROW_NAME = /<code [^>]*?id="([^"]+)"[^>]*>/g;

/**
 * Splits a page at its headings, and a table whose rows have names at its rows, so a name is found before the places
 * that only mention it.
 * @param html as VitePress renders a page
 */
export function splitSections(html: string): readonly Section[] {
  const headings = [...html.matchAll(HEADING)];
  const above: string[] = [];
  return headings.flatMap((match, index) => {
    const [whole, level = '1', anchor = '', title = ''] = match;
    const end = headings[index + 1]?.index ?? html.length;
    const body = html.slice(match.index + whole.length, end);
    above.length = Number(level) - 1;
    above.push(plain(title));
    // A level that a page leaves out has no title.
    const titles = Array.from(above, (one) => one ?? '').filter((one) => one !== '');
    return [{ anchor, titles, text: textOf(body.replaceAll(ROW, withoutNamed)) }, ...rowsOf(body, titles)];
  });
}

const namesOf = (row: string): readonly string[] => [...row.matchAll(ROW_NAME)].map(([, name = '']) => name);
/** The row is a section of its own. */
const withoutNamed = (row: string): string => (namesOf(row).length > 0 ? ' ' : row);

function rowsOf(html: string, titles: readonly string[]): readonly Section[] {
  return [...html.matchAll(ROW)].flatMap(([row]) =>
    namesOf(row).map((name) => ({ anchor: name, titles: [...titles, name], text: textOf(row) })),
  );
}

const ENTITIES: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  quot: '"',
  amp: '&',
  '#39': "'",
  '#123': '{',
};

const textOf = (html: string): string =>
  plain(html).replaceAll(/&(\w+|#\d+);/g, (entity, name: string) => ENTITIES[name] ?? entity);

/** Without elements, but with entities: the search shows titles as HTML. */
const plain = (html: string): string =>
  html
    .replaceAll('<wbr>', '')
    .replaceAll(/<button[^>]*>.*?<\/button>|<span class="lang">.*?<\/span>|<[^>]*>/gs, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
