import { at, press, type State } from './state.ts';

export const USER_STATES: readonly State[] = [
  { name: 'users', who: 'admin', path: at('/settings/users') },
  { name: 'users, none of whom match', who: 'admin', path: at('/settings/users?search=nothing&role=member') },
  { name: 'users, to a member', who: 'member', path: at('/settings/users'), status: 403 },
  { name: 'user', who: 'admin', path: ({ member }) => `/settings/users/${member}` },
  { name: 'user, oneself', who: 'admin', path: ({ admin }) => `/settings/users/${admin}` },
  {
    name: 'user, of another account',
    who: 'beginner',
    path: ({ member }) => `/settings/users/${member}`,
    status: 404,
  },
  { name: 'role of a user', who: 'admin', path: ({ member }) => `/settings/users/${member}/role` },
  {
    name: 'disabling a user with tokens',
    who: 'admin',
    path: ({ admin }) => `/settings/users/${admin}/disable`,
  },
  {
    name: 'disabling a user, refused',
    who: 'admin',
    path: ({ admin }) => `/settings/users/${admin}/disable`,
    status: 422,
    send: (page) => press(page, 'Disable user'),
  },
  { name: 'disabled user', who: 'admin', path: ({ gone }) => `/settings/users/${gone}` },
  { name: 'enabling a user', who: 'admin', path: ({ gone }) => `/settings/users/${gone}/enable` },
];
