import { formatInstant } from '@gatehouse/domain/time';
import type { User } from '@gatehouse/domain/users';
import type { View } from '../output/printer.ts';
import { stateStyle } from '../output/style.ts';
import { shortTime, timeOrNull } from './time.ts';

export const userView: View<User> = {
  document: ({ id, accountId, email, name, role, createdAt, disabledAt }) => ({
    id,
    account_id: accountId,
    email,
    name,
    role,
    created_at: formatInstant(createdAt),
    disabled_at: timeOrNull(disabledAt),
  }),
  columns: [
    { title: 'ID', value: ({ id }) => String(id) },
    { title: 'EMAIL', value: ({ email }) => email, flexible: true },
    { title: 'NAME', value: ({ name }) => name, flexible: true },
    { title: 'ROLE', value: ({ role }) => role },
    { title: 'STATE', value: stateOf, style: (each) => stateStyle(stateOf(each)) },
    { title: 'ACCOUNT', value: ({ accountId }) => String(accountId) },
    { title: 'CREATED', value: ({ createdAt }) => shortTime(createdAt) },
  ],
};

function stateOf({ disabledAt }: User): string {
  return disabledAt === null ? 'active' : 'disabled';
}
