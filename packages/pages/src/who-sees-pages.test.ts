import { apiToken } from '@gatehouse/domain/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { pageEndpoints } from '../testing/page-endpoints.ts';
import { servePages } from '../testing/serve-pages.ts';
import { assetEndpoints } from './assets.ts';

/** The status that visitors who are not signed in get for each page that is not for users alone. */
const PUBLIC: Readonly<Record<string, number>> = {
  '/': 200,
  '/docs': 200,
  // For people who have the code of a link.
  '/invitation': 200,
  '/password-reset': 200,
  '/sign-in': 200,
  // For people who forgot their password; no mail server is set up.
  '/forgot-password': 404,
  // For people whom an identity provider signs in; there is none with this name.
  '/sign-in/with/:provider': 404,
  '/sign-in/return/:provider': 404,
  // For the server of a provider, which posts.
  '/sign-in/log-out/:provider': 405,
};

/** The table that the server serves, so that a new page is for users alone unless it is named above. */
const PATHS = Object.keys(pageEndpoints).filter((path) => !(path in assetEndpoints));
const FOR_USERS = PATHS.filter((path) => !(path in PUBLIC));

async function open() {
  const scene = await servePages();
  onTestFinished(() => scene[Symbol.asyncDispose]());
  const { record } = await apiToken(scene.world, scene.people.admin);
  return { scene, at: (path: string) => path.replace(':id', record.id) };
}

describe('who sees a page', () => {
  test('is said of each page that is there', () => {
    expect(PATHS).toEqual(expect.arrayContaining(Object.keys(PUBLIC)));
    expect(FOR_USERS).toEqual(expect.arrayContaining(['/settings/api', '/settings/api/:id/first-use']));
  });

  test.each(Object.entries(PUBLIC))('%s is public', async (path, status) => {
    const { scene } = await open();
    expect((await scene.visitor().ask(path)).status).toBe(status);
  });

  test.each(FOR_USERS)('%s is for users who are signed in', async (path) => {
    const { scene, at } = await open();
    for (const cookie of [undefined, 'gatehouse-session=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA']) {
      for (const method of ['GET', 'POST']) {
        const headers = { origin: scene.url, ...(cookie && { cookie }) };
        const { status, headers: fields, text } = await scene.visitor().ask(at(path), { method, headers });
        const isPost = method === 'POST';
        // A form without a body is refused as unreadable, and a stream has no form.
        expect(isPost ? [303, 400, 405, 415, 422] : [204, 303], `${method} ${path}`).toContain(status);
        if (status === 303) expect(fields.get('location')).toMatch(/^\/sign-in(?:\?|$)/);
        if (!isPost) expect(text).toBe('');
      }
    }
  });
});
