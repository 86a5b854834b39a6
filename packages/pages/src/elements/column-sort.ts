import type { ColumnSort } from './table.ts';

/** The orders of each column that sorts a list, in the order in which its head leads through them. */
export type ColumnOrders<Order extends string> = Readonly<
  Record<string, readonly (readonly [Order, NonNullable<ColumnSort['now']>])[]>
>;

/** A list that its columns sort. */
interface SortedList<Order extends string> {
  readonly orders: ColumnOrders<Order>;
  /** The order that the list has now. */
  readonly now: Order;
  /** The order of the list if its address names none. */
  readonly usual: NoInfer<Order>;
  /** Returns the address of the first page of the list in an order. */
  readonly pathOf: (order: Order) => string;
}

/**
 * Returns how each column sorts a list. A head leads to the first order of its column, then to the next one, and from
 * the last order back to the usual order of the list.
 */
export function columnSort<Order extends string>(
  list: SortedList<Order>,
): Readonly<Record<string, ColumnSort>> {
  const entries = Object.entries(list.orders).map(([label, orders]): [string, ColumnSort] => {
    const index = orders.findIndex(([order]) => order === list.now);
    const [order] = orders[index + 1] ?? [list.usual];
    return [label, { href: list.pathOf(order), now: orders[index]?.[1] }];
  });
  return Object.fromEntries(entries);
}
