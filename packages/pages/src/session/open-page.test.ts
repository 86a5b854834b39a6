import { UnavailableFault } from '@gatehouse/domain';
import { GOOD } from '@gatehouse/domain/testing';
import { expect, test, vi } from 'vitest';
import { servePages } from '../../testing/serve-pages.ts';

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
  expect((await page.follow('Sessions')).heading).toBe('Sessions');
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

test('/settings leads to the tokens, by way of the sign-in where no one is signed in', async () => {
  await using scene = await servePages();
  const visitor = scene.visitor();
  const page = await visitor.get('/settings');
  expect(page.heading).toBe('Sign in');
  const after = await page.submit('Sign in', { Email: GOOD.email, Password: GOOD.password });
  expect(after.path).toBe('/settings/api');
  expect((await visitor.get('/settings')).path).toBe('/settings/api');
});
