/** The paths of all pages, those of this token included, and of the stream of its first use. */
export const pagesAbout = (id: string): readonly string[] => [
  '/',
  '/docs',
  '/invitation',
  '/password-reset',
  '/sign-in',
  '/sign-out',
  '/settings',
  '/settings/account',
  '/settings/api',
  '/settings/api/activity',
  '/settings/api/check',
  '/settings/api/activity/export',
  '/settings/api/new',
  '/settings/organizations',
  '/settings/organizations/999',
  '/settings/organizations/999/delete',
  '/settings/organizations/new',
  '/settings/api/revoke',
  '/settings/password',
  '/settings/profile',
  '/settings/sessions',
  '/settings/users',
  ...['', '/role', '/disable', '/enable'].map((page) => `/settings/users/${id}${page}`),
  '/settings/users/invitations',
  '/settings/users/invitations/new',
  '/settings/users/1/reset-link',
  ...['', '/first-use', '/revoke', '/rotate'].map((page) => `/settings/api/${id}${page}`),
];

/** The paths of all pages, with those of a token that does not exist. */
export const ANY_PAGES = pagesAbout('0190a5b0-0000-7000-8000-000000000000');
