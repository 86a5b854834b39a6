/** Returns the first `limit` items that follow `after` in the order of their ids. */
export function pageOf<Id extends number | string, Thing extends { readonly id: Id }>(
  things: readonly Thing[],
  after: Id | undefined,
  limit: number,
  order: 'ascending' | 'descending' = 'ascending',
): readonly Thing[] {
  const isBefore = (one: Id, other: Id) => (order === 'ascending' ? one < other : one > other);
  return things
    .filter(({ id }) => after === undefined || isBefore(after, id))
    .toSorted((one, other) => (isBefore(one.id, other.id) ? -1 : 1))
    .slice(0, limit);
}
