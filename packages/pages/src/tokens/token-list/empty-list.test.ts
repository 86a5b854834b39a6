import { apiToken, revoke } from '@gatehouse/domain/testing';
import { expect, test } from 'vitest';
import { servePages } from '../../../testing/serve-pages.ts';

test('an empty list leads to the form of the first token', async () => {
  await using scene = await servePages();
  const page = await (await scene.signedIn()).get('/settings/api');
  expect(page.text).toContain('There are no tokens yet');
  expect((await page.follow('Create the first token')).heading).toBe('New API token');
});

test('a list without an active token leads to the form of another one', async () => {
  await using scene = await servePages();
  const { record } = await apiToken(scene.world, scene.people.admin);
  await revoke(scene.world, scene.people.admin, record.id);
  const page = await (await scene.signedIn()).get('/settings/api');
  const empty = /<div class="empty">.*?<\/div>/s.exec(page.html)?.[0];
  expect(empty).toContain('No token is active');
  expect(empty).toContain('href="/settings/api/new"');
});
