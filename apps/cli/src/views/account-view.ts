import { type Account, formatInstant } from '@gatehouse/domain';
import type { View } from '../output/printer.ts';
import { shortTime, timeOrNull } from './time.ts';

export const accountView: View<Account> = {
  document: ({ id, name, createdAt, suspendedAt }) => ({
    id,
    name,
    created_at: formatInstant(createdAt),
    suspended_at: timeOrNull(suspendedAt),
  }),
  columns: [
    { title: 'ID', value: ({ id }) => String(id) },
    { title: 'NAME', value: ({ name }) => name, flexible: true },
    { title: 'STATE', value: ({ suspendedAt }) => (suspendedAt === null ? 'active' : 'suspended') },
    { title: 'CREATED', value: ({ createdAt }) => shortTime(createdAt) },
  ],
};
