import { at, MAX_REFERENCE_SIZE, press, type State } from './state.ts';

/** The start, the reference, the sign-in, and what belongs to the user or the account. */
export const OWN_STATES: readonly State[] = [
  { name: 'start', who: 'visitor', path: at('/') },
  { name: 'start, to an admin', who: 'admin', path: at('/') },
  { name: 'start, to a member', who: 'member', path: at('/') },
  { name: 'reference, to an admin', who: 'admin', path: at('/docs'), maxSize: MAX_REFERENCE_SIZE },
  { name: 'an address of nothing', who: 'visitor', path: at('/settings/nothing'), status: 404 },
  { name: 'an address of nothing, to an admin', who: 'admin', path: at('/nothing'), status: 404 },
  { name: 'sign-in', who: 'visitor', path: at('/sign-in') },
  {
    name: 'sign-in, refused',
    who: 'visitor',
    path: at('/sign-in'),
    status: 401,
    send: (page) => press(page, 'Sign in'),
  },
  { name: 'settings', who: 'admin', path: at('/settings') },
  { name: 'settings, to a member', who: 'member', path: at('/settings') },
  { name: 'account', who: 'admin', path: at('/settings/account') },
  { name: 'account, to a member', who: 'member', path: at('/settings/account') },
  {
    name: 'account, refused',
    who: 'admin',
    path: at('/settings/account'),
    status: 422,
    async send(page) {
      await page.getByLabel('Name').fill('');
      await press(page, 'Rename');
    },
  },
  { name: 'token rules', who: 'admin', path: at('/settings/account/rules') },
  { name: 'token rules, to a member', who: 'member', path: at('/settings/account/rules'), status: 403 },
  {
    name: 'token rules, of an account with rules that its tokens break',
    who: 'strict',
    path: at('/settings/account/rules'),
  },
  { name: 'token rules for people', who: 'admin', path: at('/settings/account/rules/people') },
  {
    name: 'token rules for service accounts, with rules',
    who: 'strict',
    path: at('/settings/account/rules/service-accounts'),
  },
  {
    name: 'token rules for people, refused',
    who: 'admin',
    path: at('/settings/account/rules/people'),
    status: 422,
    async send(page) {
      await page.getByLabel('Longest lifetime').selectOption('7d');
      await page.getByLabel('Default lifetime').selectOption('90d');
      await press(page, 'Save rules');
    },
  },
  { name: 'profile', who: 'member', path: at('/settings/profile') },
  { name: 'notifications', who: 'member', path: at('/settings/notifications') },
  {
    name: 'profile, refused',
    who: 'member',
    path: at('/settings/profile'),
    status: 422,
    async send(page) {
      await page.getByLabel('Name').fill('');
      await press(page, 'Change name');
    },
  },
  { name: 'sign-in methods, without identity providers', who: 'member', path: at('/settings/sign-in') },
  { name: 'password', who: 'member', path: at('/settings/password') },
  {
    name: 'password, refused',
    who: 'member',
    path: at('/settings/password'),
    status: 422,
    send: (page) => press(page, 'Change password'),
  },
  {
    name: 'a form that is sent after the session’s end',
    who: 'member',
    path: at('/settings/password'),
    status: 401,
    async send(page) {
      await page.context().clearCookies();
      await press(page, 'Change password');
    },
  },
  { name: 'sessions', who: 'admin', path: at('/settings/sessions') },
];
