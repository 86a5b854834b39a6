import { isAnswered, type ServiceAccount } from '@gatehouse/domain/users';
import { CREATED, type View } from '@gatehouse/extension-kit/cli';
import { stateColumn } from '../output/style.ts';
import { documentOf } from './document.ts';

/** Shows a service account, with the person who answers for it and who made it. */
export const serviceAccountView: View<ServiceAccount> = {
  document: (account) => ({
    ...documentOf(account.user, 'id', 'accountId', 'name', 'role'),
    description: account.description,
    responsible: { ...documentOf(account.responsible, 'id', 'email'), active_admin: isAnswered(account) },
    created_by: documentOf(account.createdBy, 'id', 'name', 'email'),
    ...documentOf(account.user, 'createdAt', 'disabledAt'),
  }),
  empty: 'There are no such service accounts. Create one with `gatehouse service-account create`.',
  columns: [
    { title: 'ID', value: ({ user }) => String(user.id), essential: true },
    { title: 'NAME', value: ({ user }) => user.name, essential: true, flexible: true },
    { title: 'ROLE', value: ({ user }) => user.role, essential: true },
    stateColumn(({ user }) => (user.disabledAt === null ? 'active' : 'disabled')),
    {
      title: 'RESPONSIBLE',
      value: (account) => `${account.responsible.email}${isAnswered(account) ? '' : ' (no active admin)'}`,
      essential: true,
      flexible: true,
    },
    { title: 'ACCOUNT', value: ({ user }) => String(user.accountId) },
    { title: CREATED.title, value: ({ user }) => CREATED.value(user) },
  ],
};
