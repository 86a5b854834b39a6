import { anEvent, aRevocation } from '@gatehouse/domain/testing';
import { expect, test } from 'vitest';
import { asMember } from '../../testing/as-member.ts';
import { servePages } from '../../testing/serve-pages.ts';

const PATH = '/settings/profile';

type Scene = Awaited<ReturnType<typeof servePages>>;

const nameIn = async ({ world, people }: Scene) => (await world.users.findById(people.member.id))?.name;

test('one changes one’s own name, and sees the email address that one signs in with', async () => {
  await using scene = await servePages();
  const page = await (await asMember(scene)).get(PATH);
  expect([page.status, page.heading]).toEqual([200, 'Profile']);
  expect(page.text).toContain(scene.people.member.email);
  const changed = await page.submit('Change name', { Name: 'Ben Byte' });
  expect([changed.path, changed.messages]).toEqual([PATH, ['Your name was changed.']]);
  expect(await nameIn(scene)).toBe('Ben Byte');
  expect((await scene.world.users.findById(scene.people.admin.id))?.name).toBe(scene.people.admin.name);
});

test('the pages of the profile lead to each other, and the navigation marks the area', async () => {
  await using scene = await servePages();
  let page = await (await asMember(scene)).get(PATH);
  for (const [link, heading] of [
    ['Sessions', 'Sessions'],
    ['Sign-in', 'Sign-in'],
    ['Second factor', 'Second factor'],
    ['Password', 'Password'],
    ['Profile', 'Profile'],
  ] as const) {
    page = await page.follow(link);
    expect(page.heading).toBe(heading);
    expect(page.html).toMatch(/<a href="\/settings\/profile" aria-current="(?:page|true)">Profile<\/a>/);
  }
});

test('an invalid name is refused and shown again', async () => {
  await using scene = await servePages();
  const [page, before] = [await (await asMember(scene)).get(PATH), await nameIn(scene)];
  const refused = await page.submit('Change name', { Name: 'x'.repeat(201) });
  expect([refused.status, refused.html.includes('x'.repeat(201))]).toEqual([422, true]);
  expect(await nameIn(scene)).toBe(before);
});

test('a user who was disabled meanwhile changes nothing', async () => {
  await using scene = await servePages();
  const [page, before] = [await (await asMember(scene)).get(PATH), await nameIn(scene)];
  await scene.world.users.disable(scene.people.member.id, aRevocation(), anEvent());
  expect((await page.submit('Change name', { Name: 'Eve' })).status).toBe(401);
  expect(await nameIn(scene)).toBe(before);
});
