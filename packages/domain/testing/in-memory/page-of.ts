/** Returns the first `limit` items with an id after `after`. */
export function pageOf<Thing extends { readonly id: number }>(
  things: readonly Thing[],
  after: number | undefined,
  limit: number,
): readonly Thing[] {
  return things
    .filter(({ id }) => after === undefined || id > after)
    .toSorted((a, b) => a.id - b.id)
    .slice(0, limit);
}
