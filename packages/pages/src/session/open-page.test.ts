import { UnavailableFault } from '@gatehouse/domain';
import { GOOD } from '@gatehouse/domain/testing';
import { expect, test, vi } from 'vitest';
import { servePages } from '../../testing/serve-pages.ts';
import type { Visitor } from '../../testing/visitor.ts';

/** Pages that anyone sees, and an address that leads nowhere. */
const OPEN = [
  ['/', 200],
  ['/docs', 200],
  ['/nothing', 404],
  ['/settings/nothing', 404],
] as const;

test.each(OPEN)('%s says who is signed in, and leads to the settings and out', async (path, status) => {
  await using scene = await servePages();
  const visitor = await scene.signedIn();
  const page = await visitor.get(path);
  expect([page.status, page.headers.get('cache-control')]).toEqual([status, 'no-store']);
  expect(page.text).toContain(`Signed in as ${GOOD.email}`);
  expect((await (await page.follow('Profile')).follow('Sessions')).heading).toBe('Sessions');
  expect((await page.submit('Sign out')).messages).toEqual(['You are signed out.']);
  const after = await visitor.get(path);
  expect([after.status, after.text.includes('Signed in as')]).toEqual([status, false]);
});

test.each(OPEN)('%s is the same for all visitors, and reads nothing for them', async (path, status) => {
  await using scene = await servePages();
  const find = vi.spyOn(scene.world.sessions, 'find');
  const pages = [await scene.visitor().get(path), await scene.visitor().get(path)];
  expect(find).not.toHaveBeenCalled();
  const plain = pages.map(({ html }) => html.replace(/Request <code>[^<]*/, ''));
  expect(plain[0]).toBe(plain[1]);
  expect(pages.map((page) => [page.status, page.forms.length])).toEqual([
    [status, 0],
    [status, 0],
  ]);
});

test.each(OPEN)(
  '%s does not keep a session alive, and is shown with one that has ended',
  async (path, status) => {
    await using scene = await servePages();
    const visitor = await scene.signedIn();
    const touch = vi.spyOn(scene.world.sessions, 'touch');
    scene.world.clock.advance(20 * 60_000);
    expect((await visitor.get(path)).text).toContain('Signed in as');
    expect(touch).not.toHaveBeenCalled();
    scene.world.clock.advance(10 * 60_000);
    const page = await visitor.get(path);
    expect([page.status, page.text.includes('Signed in as')]).toEqual([status, false]);
  },
);

test.each(OPEN)('%s is shown while the database is away', async (path, status) => {
  const findSession = vi.fn().mockRejectedValue(new UnavailableFault('away'));
  await using scene = await servePages({ useCases: { findSession } });
  const visitor = scene.visitor();
  visitor.cookies.set('gatehouse', 'A'.repeat(43));
  const page = await visitor.get(path);
  expect([page.status, findSession.mock.calls.length]).toEqual([status, 1]);
});

test('/settings lists the areas, those of admins to admins alone', async () => {
  await using scene = await servePages();
  const shown = async (visitor: Visitor) => {
    const { html } = await visitor.get('/settings');
    const [, list = ''] = /<ul class="plain areas">(.*?)<\/ul>/s.exec(html) ?? [];
    return [...list.matchAll(/<a[^>]*>(.*?)<\/a>/g)].map(([, label]) => label);
  };
  const areas = await shown(await scene.signedIn());
  expect(areas).toEqual(expect.arrayContaining(['API tokens', 'Activity', 'Account', 'Profile']));
  const { email } = scene.people.member;
  const ofMember = await shown(await scene.signedIn({ email, password: GOOD.password }));
  expect(ofMember).toEqual(areas.filter((label) => ofMember.includes(label)));
  expect(ofMember).not.toContain('Activity');
});
