import type { Organization } from '@gatehouse/domain/organizations';
import { CREATED, type View } from '@gatehouse/extension-kit/cli';
import { documentOf } from './document.ts';

export const organizationView: View<Organization> = {
  document: (organization) => documentOf(organization, 'id', 'accountId', 'name', 'description', 'createdAt'),
  empty: 'There are no organizations yet. Create one with `gatehouse org create`.',
  columns: [
    { title: 'ID', value: ({ id }) => String(id), essential: true },
    { title: 'NAME', value: ({ name }) => name, essential: true, flexible: true },
    { title: 'DESCRIPTION', value: ({ description }) => description ?? '-', essential: true, folds: true },
    { title: 'ACCOUNT', value: ({ accountId }) => String(accountId) },
    CREATED,
  ],
};
