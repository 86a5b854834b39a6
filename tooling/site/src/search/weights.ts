/** How much less a page counts than a guide, by the beginning of its path in the site. The first that fits counts. */
const WEIGHTS: readonly (readonly [start: string, weight: number])[] = [
  // The place where each setting is explained.
  ['operate/settings', 1.5],
  // The place where versions of other software are promised.
  ['support', 2],
  // Generated pages repeat the words of the guides in hundreds of sections.
  ['develop/security/mutations', 0.05],
  ['develop/reliability', 0.1],
  ['develop/benchmarks', 0.2],
  ['extend/kit-types', 0.2],
  // Changes of earlier versions repeat the words of the guides, too.
  ['changelog', 0.3],
  ['packages/extension-kit-changelog', 0.3],
  // A list of pages, and notes for contributors beside the code.
  ['docs.html', 0.1],
  ['packages/front', 0.3],
  ['packages/pages', 0.3],
  ['packages/queues', 0.3],
  // Operators search more often than contributors.
  ['develop/', 0.3],
  ['extend/', 0.6],
  ['adr/', 0.2],
  ['architecture', 0.4],
  ['contributing', 0.4],
];

/** A page counts more than a section of another page with the same words. */
const WHOLE_PAGE = 1.3;

/**
 * Returns the factor for a result of the search.
 * @param id the result's address, such as `/operate/settings.html#WORKERS`
 * @param titles those above the result's own
 * @param base the path of the site on its host
 */
export function weightOf(id: string, titles: readonly string[], base: string): number {
  const path = id.slice(base.length);
  const weight = WEIGHTS.find(([start]) => path.startsWith(start))?.[1] ?? 1;
  return titles.length === 0 ? weight * WHOLE_PAGE : weight;
}
