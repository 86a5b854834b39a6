import type { User } from '@gatehouse/domain/users';
import { CREATED, type View } from '@gatehouse/extension-kit/cli';
import { stateColumn } from '../output/style.ts';
import { documentOf } from './document.ts';

export const userView: View<User> = {
  document: (user) =>
    documentOf(user, 'id', 'accountId', 'kind', 'email', 'name', 'role', 'createdAt', 'disabledAt'),
  empty: 'There are no users yet. Create one with `gatehouse user create`.',
  columns: [
    { title: 'ID', value: ({ id }) => String(id), essential: true },
    { title: 'EMAIL', value: ({ email }) => email, essential: true, flexible: true },
    { title: 'NAME', value: ({ name }) => name, flexible: true },
    { title: 'ROLE', value: ({ role }) => role, essential: true },
    stateColumn(({ disabledAt }) => (disabledAt === null ? 'active' : 'disabled')),
    { title: 'ACCOUNT', value: ({ accountId }) => String(accountId) },
    CREATED,
  ],
};
