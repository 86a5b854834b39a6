import { forgetPassword } from '../forget-password.ts';
import { at, LONG, press, RETURNING, type State } from './state.ts';

export const TOKEN_STATES: readonly State[] = [
  { name: 'no tokens', who: 'beginner', path: at('/settings/api') },
  { name: 'tokens', who: 'admin', path: at('/settings/api') },
  {
    name: 'tokens, filtered to one with a long name',
    who: 'admin',
    path: at('/settings/api?search=Long&scope=me:read&expires=30d&state=unknown'),
  },
  {
    name: 'tokens to revoke',
    who: 'admin',
    path: ({ long, used }) => `/settings/api/revoke?id=${long}&id=${used}`,
  },
  { name: 'no tokens to revoke', who: 'admin', path: at('/settings/api/revoke') },
  { name: 'tokens, none of which match', who: 'admin', path: at('/settings/api?search=nothing') },
  { name: 'tokens, none of which is active', who: 'returning', path: at('/settings/api') },
  {
    name: 'new token, with the password',
    who: 'returning',
    path: at('/settings/api/new'),
    before: (world) => forgetPassword(world, RETURNING),
  },
  { name: 'ended tokens', who: 'admin', path: at('/settings/api?section=ended') },
  { name: 'tokens, to a member', who: 'member', path: at('/settings/api') },
  { name: 'new token', who: 'admin', path: at('/settings/api/new') },
  {
    name: 'new token, from a link in part wrong',
    who: 'admin',
    path: at('/settings/api/new?name=ERP&scope=orgs:read&scope=unknown&expires_in=45d'),
  },
  {
    name: 'new token, refused',
    who: 'admin',
    path: at('/settings/api/new'),
    status: 422,
    send: (page) => press(page, 'Create token'),
  },
  {
    name: 'created token',
    who: 'beginner',
    path: at('/settings/api/new?scope=me:read'),
    status: 200,
    async send(page) {
      await page.getByLabel('Name').fill(`${LONG.slice(0, 180)} ${Date.now()}`);
      await press(page, 'Create token');
    },
  },
  {
    name: 'new token, whose networks were refused',
    who: 'admin',
    path: at('/settings/api/new?name=ERP&scope=me:read'),
    status: 422,
    async send(page) {
      await page.getByText('More options').click();
      await page.getByLabel('Networks', { exact: true }).fill('203.0.113.7/24');
      await press(page, 'Create token');
    },
  },
  { name: 'new token, where networks are demanded', who: 'strict', path: at('/settings/api/new') },
  {
    name: 'new token, without the networks that are demanded',
    who: 'strict',
    path: at('/settings/api/new?name=ERP&scope=me:read'),
    status: 422,
    send: (page) => press(page, 'Create token'),
  },
  { name: 'tokens that break the rules', who: 'strict', path: at('/settings/api?state=over_policy') },
  {
    name: 'token that breaks the rules, with report-only networks',
    who: 'strict',
    path: ({ wide }) => `/settings/api/${wide}`,
  },
  { name: 'networks of a token', who: 'admin', path: ({ used }) => `/settings/api/${used}/networks` },
  {
    name: 'networks of a token, refused',
    who: 'admin',
    path: ({ used }) => `/settings/api/${used}/networks`,
    status: 422,
    async send(page) {
      await page.getByLabel('Networks', { exact: true }).fill('10.0.0.0/8\n2001:db8::7/32');
      await press(page, 'Save networks');
    },
  },
  {
    name: 'networks of a token, report-only',
    who: 'strict',
    path: ({ wide }) => `/settings/api/${wide}/networks`,
  },
  { name: 'new token, to a member', who: 'member', path: at('/settings/api/new'), status: 403 },
  { name: 'token', who: 'admin', path: ({ long }) => `/settings/api/${long}` },
  { name: 'token with a past', who: 'admin', path: ({ used }) => `/settings/api/${used}` },
  { name: 'check of a token', who: 'admin', path: at('/settings/api/check') },
  {
    name: 'check of a token, after one was in an address',
    who: 'member',
    path: at('/settings/api?search=v4.public.eyJpc3MiOiJnYXRlaG91c2Ui'),
  },
  {
    name: 'check of a token, which is not of the account',
    who: 'admin',
    path: at('/settings/api/check'),
    async send(page) {
      await page.getByLabel('Token').fill('v4.public.eyJpc3MiOiJnYXRlaG91c2Ui');
      await press(page, 'Check token');
    },
  },
  { name: 'revoke', who: 'admin', path: ({ long }) => `/settings/api/${long}/revoke` },
  { name: 'rotate', who: 'admin', path: ({ long }) => `/settings/api/${long}/rotate` },
  {
    name: 'rotated token',
    who: 'admin',
    path: ({ long }) => `/settings/api/${long}/rotate`,
    send: (page) => press(page, 'Rotate token'),
  },
  {
    name: 'nothing here',
    who: 'admin',
    path: at('/settings/api/00000000-0000-7000-8000-000000000000/revoke'),
    status: 404,
  },
];
