import { anEvent, givenPerson, unwrap } from '@gatehouse/domain/testing';
import { describe, expect, test } from 'vitest';
import { asMember } from '../../testing/as-member.ts';
import { servePages } from '../../testing/serve-pages.ts';

const LIST = '/settings/organizations';

describe('who may not', () => {
  const paths = (id: number | string) => [`${LIST}/${id}`, `${LIST}/${id}/delete`];

  test('another account’s organization, an unknown one and a malformed id are 404, also for forms', async () => {
    await using scene = await servePages();
    const { shared, foreign } = scene.people;
    const visitor = await scene.signedIn();
    const [own, deletion] = paths(shared.id) as [string, string];
    const page = await visitor.get(own);
    const forms = ['Save', 'Add member', 'Remove Ada'].map((button) =>
      page.fill(button, { ...(button === 'Add member' && { Email: scene.people.admin.email }) }),
    );
    const typed = (await visitor.get(deletion)).fill('Delete organization', {
      'Name of the organization': 'Press shop',
    });
    for (const id of [foreign.id, 999_999, 'x', '-1', `${shared.id}.0`]) {
      const [other, otherDeletion] = paths(id) as [string, string];
      for (const path of [other, otherDeletion])
        expect([path, (await visitor.get(path)).status]).toEqual([path, 404]);
      for (const sent of forms) expect((await visitor.post(other, sent)).status).toBe(404);
      expect((await visitor.post(otherDeletion, typed)).status).toBe(404);
    }
    expect(await scene.world.organizations.findById(foreign.id)).toEqual(foreign);
  });

  test('a member of another organization sees and changes nothing', async () => {
    await using scene = await servePages();
    const { shared, closed } = scene.people;
    const visitor = await asMember(scene);
    expect((await visitor.get(`${LIST}/${closed.id}`)).status).toBe(403);
    for (const path of [`${LIST}/${closed.id}/delete`, `${LIST}/${shared.id}/delete`])
      expect((await visitor.get(path)).status).toBe(403);
  });

  test.each([
    ['Save', { Name: 'Mine' }],
    ['Add member', { Email: 'ada@acme.example' }],
    ['Remove Ada', {}],
    ['Delete organization', { 'Name of the organization': 'Press shop' }],
    ['Create organization', { Name: 'Mine' }],
  ])('who became a member meanwhile does nothing with %s', async (button, typed) => {
    await using scene = await servePages();
    const { world, people } = scene;
    await givenPerson(world, { accountId: people.account.id, email: 'eve@acme.example' });
    const path =
      button === 'Create organization'
        ? `${LIST}/new`
        : `${LIST}/${people.shared.id}${button === 'Delete organization' ? '/delete' : ''}`;
    const page = await (await scene.signedIn()).get(path);
    unwrap(await world.users.setRole(people.admin.id, 'member', () => anEvent()));
    const before = await world.organizationLists.listCounted({
      ...{ accountId: people.account.id, limit: 100, countLimit: 100 },
    });
    expect((await page.submit(button, typed)).status).toBe(403);
    expect(
      await world.organizationLists.listCounted({
        accountId: people.account.id,
        limit: 100,
        countLimit: 100,
      }),
    ).toEqual(before);
  });
});
