import { at, press, type State } from './state.ts';

const LIST = '/settings/service-accounts';

export const SERVICE_ACCOUNT_STATES: readonly State[] = [
  { name: 'service accounts, one without a responsible admin', who: 'admin', path: at(LIST) },
  {
    name: 'service accounts without a responsible admin',
    who: 'admin',
    path: at(`${LIST}?responsible=none`),
  },
  { name: 'no service accounts', who: 'beginner', path: at(LIST) },
  { name: 'service accounts, to a member', who: 'member', path: at(LIST), status: 403 },
  { name: 'new service account', who: 'admin', path: at(`${LIST}/new`) },
  {
    name: 'new service account, refused',
    who: 'admin',
    path: at(`${LIST}/new`),
    status: 422,
    send: (page) => press(page, 'Create service account'),
  },
  { name: 'service account', who: 'admin', path: ({ robot }) => `${LIST}/${robot}` },
  {
    name: 'service account without a responsible admin',
    who: 'admin',
    path: ({ orphan }) => `${LIST}/${orphan}`,
  },
  {
    name: 'service account, of another account',
    who: 'beginner',
    path: ({ robot }) => `${LIST}/${robot}`,
    status: 404,
  },
  { name: 'service account to edit', who: 'admin', path: ({ orphan }) => `${LIST}/${orphan}/edit` },
  { name: 'role of a service account', who: 'admin', path: ({ robot }) => `/settings/users/${robot}/role` },
  {
    name: 'disabling a service account',
    who: 'admin',
    path: ({ robot }) => `/settings/users/${robot}/disable`,
  },
  {
    name: 'new token for a service account',
    who: 'admin',
    path: ({ robot }) => `/settings/api/new?owner=${robot}`,
  },
  { name: 'token to give', who: 'admin', path: ({ used }) => `/settings/api/${used}/give` },
  {
    name: 'token to give, refused',
    who: 'admin',
    path: ({ used }) => `/settings/api/${used}/give`,
    status: 422,
    send: (page) => press(page, 'Give token'),
  },
];
