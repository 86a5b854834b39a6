import type { TokenOrder } from '@gatehouse/domain/tokens';
import { type ColumnOrders, columnSort } from '../../elements/column-sort.ts';
import { type ListAddress, listPath } from './address.ts';

const ORDERS: ColumnOrders<TokenOrder> = {
  Name: [['name', 'ascending']],
  'Last used': [
    ['most_recently_used', 'descending'],
    ['least_recently_used', 'ascending'],
  ],
  Expires: [['expiry', 'ascending']],
};

/** Returns how each column sorts the list. The usual order is the newest tokens first. */
export const sortOf = ({ values, input }: ListAddress) =>
  columnSort({
    orders: ORDERS,
    now: input.order ?? 'newest',
    usual: 'newest',
    pathOf: (order) => listPath({ ...values, order }),
  });
