import type { ShownAccount } from '@gatehouse/domain/accounts';
import type { ItemView } from '../output/view.ts';
import { accountView } from './account-view.ts';
import { counted } from './count.ts';
import { documentOf } from './document.ts';

/** Shows one account: how many users, tokens and organizations it has, and its admins. */
export const shownAccountView: ItemView<ShownAccount> = {
  document: ({ account, use, admins, moreAdmins }) => ({
    ...accountView.document(account),
    ...documentOf(use, 'activeUsers', 'apiTokens', 'organizations'),
    admins: admins.map((admin) => documentOf(admin, 'id', 'email', 'name')),
    more_admins: moreAdmins,
  }),
  columns: accountView.columns.map(({ title, value, style }) => ({
    title,
    value: ({ account }) => value(account),
    ...(style && { style: ({ account }: ShownAccount) => style(account) }),
  })),
  details: [
    { title: 'USERS', value: ({ use }) => `${use.activeUsers.toLocaleString('en')} active` },
    { title: 'API TOKENS', value: ({ use }) => `${use.apiTokens.toLocaleString('en')} active` },
    { title: 'ORGANIZATIONS', value: ({ use }) => use.organizations.toLocaleString('en') },
    { title: 'ADMINS', value: adminsInWords },
  ],
};

function adminsInWords({ admins, moreAdmins }: ShownAccount): string {
  if (admins.length === 0) return '-';
  const emails = admins.map(({ email }) => email).join(', ');
  return moreAdmins ? `${emails} and more than ${counted(admins.length, 'admin')}` : emails;
}
