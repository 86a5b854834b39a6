/** The pages in docs/pictures: the name of the file, and the path at the server. Those after the sign-in page are Ada's. */
export const PAGES: readonly { readonly name: string; readonly path: string; readonly signedIn: boolean }[] =
  [
    { name: 'start', path: '/', signedIn: false },
    { name: 'sign-in', path: '/sign-in', signedIn: false },
    { name: 'tokens', path: '/settings/api', signedIn: true },
    { name: 'new-token', path: '/settings/api/new', signedIn: true },
    { name: 'reference', path: '/docs', signedIn: false },
  ];
