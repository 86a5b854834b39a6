/** Words of questions that every page has, so they say nothing about the page that is looked for. */
const COMMON = new Set(
  `a an and are as at be been but by can could do does for from had has have how i if in into is it its me my of on or our so
that the their them then there these they this to was we were what when where which who why will with would you your`.split(
    /\s+/,
  ),
);

/** Returns a word of a search as it is looked for, or null if it is not looked for. */
export function searchWord(word: string): string | null {
  const lower = word.toLowerCase();
  return COMMON.has(lower) ? null : lower;
}
