/** Returns the first `limit` items with an id after `after`. */
export function pageOf<Id extends number | string, Thing extends { readonly id: Id }>(
  things: readonly Thing[],
  after: Id | undefined,
  limit: number,
): readonly Thing[] {
  return things
    .filter(({ id }) => after === undefined || id > after)
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .slice(0, limit);
}
