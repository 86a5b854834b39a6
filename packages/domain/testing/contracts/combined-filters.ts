/** A filter, and what it selects as a function. */
export type Condition<Filter, Entry> = readonly [Filter, (entry: Entry) => boolean];

/** Every one of the filters, and every two of them that set nothing twice: once, because the order makes no other filter. */
export function combinedFilters<Filter extends object, Entry>(
  filters: readonly Condition<Filter, Entry>[],
): readonly Condition<Filter, Entry>[] {
  return filters.flatMap(([filter, holds], index) => {
    const others = filters
      .slice(index + 1)
      .filter(([other]) => !Object.keys(other).some((key) => key in filter));
    const both = others.map(
      ([other, alsoHolds]) =>
        [{ ...filter, ...other }, (entry: Entry) => holds(entry) && alsoHolds(entry)] as const,
    );
    return [[filter, holds] as const, ...both];
  });
}
