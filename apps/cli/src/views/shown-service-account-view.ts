import type { ServiceAccount } from '@gatehouse/domain/users';
import type { ItemView } from '../output/view.ts';
import { serviceAccountView } from './service-account-view.ts';

/** Shows one service account with all its fields. */
export const shownServiceAccountView: ItemView<ServiceAccount> = {
  document: serviceAccountView.document,
  columns: [
    ...serviceAccountView.columns,
    { title: 'DESCRIPTION', value: ({ description }) => description ?? '-' },
    {
      title: 'CREATED BY',
      value: ({ createdBy: { name, email } }) =>
        email === null ? `${name} (operator)` : `${name} (${email})`,
    },
  ],
};
