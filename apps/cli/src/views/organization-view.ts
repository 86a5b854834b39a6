import type { Organization } from '@gatehouse/domain/organizations';
import { formatInstant } from '@gatehouse/domain/time';
import type { View } from '../output/printer.ts';
import { shortTime } from './time.ts';

export const organizationView: View<Organization> = {
  document: ({ id, accountId, name, description, createdAt }) => ({
    id,
    account_id: accountId,
    name,
    description,
    created_at: formatInstant(createdAt),
  }),
  columns: [
    { title: 'ID', value: ({ id }) => String(id) },
    { title: 'NAME', value: ({ name }) => name, flexible: true },
    { title: 'DESCRIPTION', value: ({ description }) => description ?? '-', flexible: true },
    { title: 'ACCOUNT', value: ({ accountId }) => String(accountId) },
    { title: 'CREATED', value: ({ createdAt }) => shortTime(createdAt) },
  ],
};
