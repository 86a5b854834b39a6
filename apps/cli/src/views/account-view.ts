import type { Account } from '@gatehouse/domain/accounts';
import { CREATED, type View } from '@gatehouse/extension-kit/cli';
import { stateColumn } from '../output/style.ts';
import { documentOf } from './document.ts';

export const accountView: View<Account> = {
  document: (account) => documentOf(account, 'id', 'name', 'createdAt', 'suspendedAt'),
  empty: 'There are no accounts yet. Create one with `gatehouse account create`.',
  columns: [
    { title: 'ID', value: ({ id }) => String(id), essential: true },
    { title: 'NAME', value: ({ name }) => name, essential: true, flexible: true },
    stateColumn(({ suspendedAt }) => (suspendedAt === null ? 'active' : 'suspended')),
    CREATED,
  ],
};
