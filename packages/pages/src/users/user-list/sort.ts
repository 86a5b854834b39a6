import type { UserOrder } from '@gatehouse/domain/users';
import { type ColumnOrders, columnSort } from '../../elements/column-sort.ts';
import { listPath, type UserListAddress } from './address.ts';

const ORDERS: ColumnOrders<UserOrder> = {
  Name: [['name', 'ascending']],
  Created: [['newest', 'descending']],
};

/** Returns how each column sorts the list. The usual order is by name. */
export const sortOf = ({ values, input }: UserListAddress) =>
  columnSort({
    orders: ORDERS,
    now: input.order ?? 'name',
    usual: 'name',
    pathOf: (order) => listPath({ ...values, order }),
  });
