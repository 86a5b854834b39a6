import { at, press, type State } from './state.ts';

export const ORGANIZATION_STATES: readonly State[] = [
  { name: 'no organizations', who: 'returning', path: at('/settings/organizations') },
  { name: 'organizations', who: 'admin', path: at('/settings/organizations') },
  {
    name: 'organizations, none of which match',
    who: 'admin',
    path: at('/settings/organizations?search=nothing'),
  },
  { name: 'organizations, to a member', who: 'member', path: at('/settings/organizations') },
  {
    name: 'new organization, refused',
    who: 'admin',
    path: at('/settings/organizations/new'),
    status: 422,
    send: (page) => press(page, 'Create organization'),
  },
  { name: 'organization', who: 'admin', path: at('/settings/organizations/1') },
  { name: 'organization, to its member', who: 'member', path: at('/settings/organizations/1') },
  {
    name: 'organization, to a member of another one',
    who: 'member',
    path: at('/settings/organizations/2'),
    status: 403,
  },
  {
    name: 'organization, whose new member was refused',
    who: 'admin',
    path: at('/settings/organizations/1'),
    status: 422,
    send: (page) => press(page, 'Add member'),
  },
  { name: 'organization to delete', who: 'admin', path: at('/settings/organizations/1/delete') },
  {
    name: 'organization to delete, refused',
    who: 'admin',
    path: at('/settings/organizations/1/delete'),
    status: 422,
    send: (page) => press(page, 'Delete organization'),
  },
  {
    name: 'organization of another account',
    who: 'beginner',
    path: at('/settings/organizations/1'),
    status: 404,
  },
];
