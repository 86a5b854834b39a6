/** The paths of all pages, those of this token included, and of the stream of its first use. */
export const pagesAbout = (id: string): readonly string[] => [
  '/',
  '/docs',
  '/sign-in',
  '/sign-out',
  '/settings',
  '/settings/api',
  '/settings/api/activity',
  '/settings/api/new',
  '/settings/password',
  '/settings/sessions',
  ...['', '/first-use', '/revoke', '/rotate'].map((page) => `/settings/api/${id}${page}`),
];

/** The paths of all pages, with those of a token that does not exist. */
export const ANY_PAGES = pagesAbout('0190a5b0-0000-7000-8000-000000000000');
