import type { Organization } from '@gatehouse/domain/organizations';
import { formatInstant } from '@gatehouse/domain/time';
import { CREATED, type View } from '@gatehouse/extension-kit/cli';

export const organizationView: View<Organization> = {
  document: ({ id, accountId, name, description, createdAt }) => ({
    id,
    account_id: accountId,
    name,
    description,
    created_at: formatInstant(createdAt),
  }),
  empty: 'There are no organizations yet. Create one with `gatehouse org create`.',
  columns: [
    { title: 'ID', value: ({ id }) => String(id), essential: true },
    { title: 'NAME', value: ({ name }) => name, essential: true, flexible: true },
    { title: 'DESCRIPTION', value: ({ description }) => description ?? '-', essential: true, folds: true },
    { title: 'ACCOUNT', value: ({ accountId }) => String(accountId) },
    CREATED,
  ],
};
