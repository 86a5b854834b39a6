import type { Account } from '@gatehouse/domain/accounts';
import { formatInstant } from '@gatehouse/domain/time';
import type { View } from '../output/printer.ts';
import { stateStyle } from '../output/style.ts';
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
    { title: 'STATE', value: stateOf, style: (each) => stateStyle(stateOf(each)) },
    { title: 'CREATED', value: ({ createdAt }) => shortTime(createdAt) },
  ],
};

function stateOf({ suspendedAt }: Account): string {
  return suspendedAt === null ? 'active' : 'suspended';
}
