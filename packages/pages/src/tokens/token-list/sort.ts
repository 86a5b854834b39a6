import type { TokenOrder } from '@gatehouse/domain/tokens';
import type { ColumnSort } from '../../elements/table.ts';
import { type ListAddress, listPath } from './address.ts';

type Direction = NonNullable<ColumnSort['now']>;

/** The orders of each column that sorts the list, in the order in which its head leads through them. */
const ORDERS: Readonly<Record<string, readonly (readonly [TokenOrder, Direction])[]>> = {
  Name: [['name', 'ascending']],
  'Last used': [
    ['most_recently_used', 'descending'],
    ['least_recently_used', 'ascending'],
  ],
  Expires: [['expiry', 'ascending']],
};

/**
 * Returns how each column sorts the list. A head leads to the first order of its column, then to the next one, and from
 * the last order back to the newest tokens first.
 */
export function sortOf({ values }: ListAddress): Readonly<Record<string, ColumnSort>> {
  const entries = Object.entries(ORDERS).map(([label, orders]): [string, ColumnSort] => {
    const index = orders.findIndex(([order]) => order === values.order);
    const [order] = orders[index + 1] ?? ['newest'];
    return [label, { href: listPath({ ...values, order }), now: orders[index]?.[1] }];
  });
  return Object.fromEntries(entries);
}
