import { anOrganization } from '@gatehouse/domain/testing';
import { describe, expect, test } from 'vitest';
import { givenNamed } from '../../testing/given-organization.ts';
import { servePages } from '../../testing/serve-pages.ts';

const LIST = '/settings/organizations';

describe('deleting an organization', () => {
  test('says what is lost, and needs the name', async () => {
    await using scene = await servePages();
    const { id } = scene.people.shared;
    const visitor = await scene.signedIn();
    const page = await visitor.get(`${LIST}/${id}/delete`);
    expect(page.heading).toBe('Delete Press shop');
    expect(page.text).toContain('1 member can no longer access Press shop');
    for (const typed of ['', 'press shop', 'Press']) {
      const refused = await page.submit('Delete organization', { 'Name of the organization': typed });
      expect([refused.status, refused.messages.at(-1)]).toEqual([
        422,
        'This is not the name of this organization.',
      ]);
    }
    expect(await scene.world.organizations.findById(id)).toBeDefined();
    const deleted = await page.submit('Delete organization', { 'Name of the organization': 'Press shop ' });
    expect([deleted.heading, deleted.text.includes('The organization was deleted.')]).toEqual([
      'Organizations',
      true,
    ]);
    expect(await scene.world.organizations.findById(id)).toBeUndefined();
    expect((await visitor.get(`${LIST}/${id}/delete`)).status).toBe(404);
  });

  test('counts the rows of extensions that are deleted, too', async () => {
    const belongings = [{ count: 14, one: 'shift note', several: 'shift notes' }];
    await using scene = await servePages({
      useCases: {
        findOrganizationLosses: async () => ({
          ok: true,
          value: { organization: anOrganization(), members: 0, belongings },
        }),
      },
    });
    const page = await (await scene.signedIn()).get(`${LIST}/42/delete`);
    expect(page.text).toMatch(/has no members.*This is deleted, too: 14 shift notes/);
  });

  test('accepts a name with invisible characters and several spaces as the page shows it', async () => {
    await using scene = await servePages();
    const { id } = await givenNamed(scene, 'a\u202eb   c');
    const page = await (await scene.signedIn()).get(`${LIST}/${id}/delete`);
    await page.submit('Delete organization', { 'Name of the organization': 'a\ufffdb c' });
    expect(await scene.world.organizations.findById(id)).toBeUndefined();
  });
});
