import { readFile } from 'node:fs/promises';
import { SECRET } from '@gatehouse/domain';
import { givenOrganization, inPerson, unwrap } from '@gatehouse/domain/testing';
import { issueToken } from '@gatehouse/domain/tokens';
import { expect, test } from 'vitest';
import { ANY_PAGES, pagesAbout } from '../../testing/page-paths.ts';
import { servePages } from '../../testing/serve-pages.ts';

const PASETO = 'v4.public.eyJpc3MiOiJnYXRlaG91c2UiLCJhdWQiOiJnYXRlaG91c2UtYXBpIn0';
const SECRETS = {
  'a PASETO': PASETO,
  'a JWT': 'eyJhbGciOiJFZERTQSJ9.eyJpc3MiOiJnYXRlaG91c2UifQ.c2lnbmF0dXJl',
  'a credential of a service': `ghs_${'A'.repeat(43)}`,
  'a token that was cut off': PASETO.slice(0, 40),
  'a token within other text': `Bearer ${PASETO} (ERP)`,
};

/** The lists, and the parameters of their searches. */
const SEARCHES = [
  '/settings/api?search=',
  '/settings/api?section=ended&owner=',
  '/settings/api/activity?user=',
  '/settings/users?search=',
  '/settings/organizations?search=',
];

test.each(Object.entries(SECRETS))(
  'a search for %s leads to the check of tokens, which does not show it',
  async (_, secret) => {
    await using scene = await servePages();
    const visitor = await scene.signedIn();
    for (const search of SEARCHES) {
      const page = await visitor.get(search + encodeURIComponent(secret));
      expect([page.heading, page.path]).toEqual(['Check token', '/settings/api/check?from=address']);
      expect(page.text).toContain('You searched for a token. Gatehouse did not search for it');
      expect(page.html).not.toContain(secret.slice(0, 30));
    }
  },
);

test('the script that looks at what is pasted knows the same tokens', async () => {
  const script = await readFile(new URL('../assets/pasted-token.js', import.meta.url), 'utf8');
  expect(script).toContain(`/${SECRET.source}/`);
});

test('a visitor who is not signed in is asked to sign in, by an address without the token', async () => {
  await using scene = await servePages();
  const page = await scene.visitor().get(`/settings/api?search=${PASETO}`);
  expect(page.heading).toBe('Sign in');
  expect(page.path + page.html).not.toContain(PASETO.slice(0, 30));
});

test('a parameter that is a token itself is refused as its value is', async () => {
  await using scene = await servePages();
  const page = await (await scene.signedIn()).get(`/settings/api?${PASETO}`);
  expect(page.heading).toBe('Check token');
});

test('other searches are searched for', async () => {
  await using scene = await servePages();
  const visitor = await scene.signedIn();
  for (const text of ['v4.public', 'eyJ', 'ghs_', 'badges', 'v4.publicity']) {
    expect((await visitor.get(`/settings/api?search=${text}`)).heading).toBe('API tokens');
  }
});

test('no page for users who are signed in shows a token that is in its address', async () => {
  await using scene = await servePages();
  const visitor = await scene.signedIn();
  for (const path of ANY_PAGES.filter((each) => each.startsWith('/settings'))) {
    expect((await visitor.get(`${path}?a=${PASETO}`)).html, path).not.toContain(PASETO.slice(0, 30));
  }
});

/** The addresses with a token in the query or in place of an id, and those that lead to them after a sign-in. */
function addressesWith(secret: string): readonly string[] {
  const within = [...pagesAbout(secret), ...ANY_PAGES.map((path) => `${path}?search=${secret}`)];
  const next = within.map((path) => `/sign-in?next=${encodeURIComponent(path)}`);
  return [...within, ...next, `/sign-in?next=${encodeURIComponent(next[0] ?? '')}`];
}

test('no answer repeats a token of its address, in a page or in a redirect', async () => {
  await using scene = await servePages();
  for (const visitor of [scene.visitor(), await scene.signedIn()]) {
    for (const address of addressesWith(PASETO)) {
      const { text, headers } = await visitor.ask(address);
      expect(`${text}\n${JSON.stringify([...headers])}`, address).not.toContain(PASETO.slice(0, 30));
    }
  }
});

test('every page with a field for searches has the script that looks at what is pasted', async () => {
  await using scene = await servePages();
  const { admin } = scene.people;
  await givenOrganization(scene.world, admin.accountId);
  const token = { name: 'ERP', format: 'paseto', scopes: ['*'], expiry: 'never' } as const;
  unwrap(await issueToken(scene.world)(inPerson(admin), token));
  const visitor = await scene.signedIn();
  const pages = await Promise.all(
    ANY_PAGES.filter((each) => each.startsWith('/settings')).map(async (path) => ({
      path,
      html: (await visitor.get(path)).html,
    })),
  );
  const searching = pages.filter(({ html }) => html.includes('type="search"'));
  expect(searching.map(({ path }) => path).toSorted()).toEqual([
    '/settings/api',
    '/settings/api/activity',
    '/settings/organizations',
    '/settings/users',
  ]);
  for (const { path, html } of searching) expect(html, path).toContain('/assets/pasted-token-');
});
