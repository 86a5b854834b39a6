import { resetSecondFactor } from '@gatehouse/domain/second-factor';
import { GOOD, OPERATOR, PASSWORD, unwrap } from '@gatehouse/domain/testing';
import { expect, test } from 'vitest';
import { servePages } from '../testing/serve-pages.ts';
import { withSecondFactor } from '../testing/sign-in-with-code.ts';

const WRONG = 'The code is wrong or was used before. Wait for the next code of your app.';

test('the code leads to the page that the user wanted', async () => {
  await using scene = await servePages();
  const { atCode, code } = await withSecondFactor(scene);
  const { visitor, page } = await atCode('/sign-in?next=%2Fsettings%2Fprofile');
  expect([page.path, page.status]).toEqual(['/sign-in/code?next=%2Fsettings%2Fprofile', 200]);
  const wrong = await page.submit('Continue', { Code: '000000' });
  expect([wrong.status, wrong.messages]).toEqual([401, [WRONG]]);
  expect(wrong.html).not.toContain('000000');
  expect((await visitor.get('/settings/profile')).heading).toBe('Sign in');
  const done = await wrong.submit('Continue', { Code: code() });
  expect([done.path, done.heading]).toEqual(['/settings/profile', 'Profile']);
  expect([...visitor.cookies.keys()]).toEqual(['gatehouse']);
});

test('what the user had typed before the session ended is kept over the code', async () => {
  await using scene = await servePages();
  const { signedIn, code } = await withSecondFactor(scene);
  const visitor = await signedIn();
  const page = await visitor.get('/settings/profile');
  scene.world.clock.advance(31 * 60_000);
  const asked = await page.submit('Change name', { Name: 'Ada Byron' });
  const atCode = await asked.submit('Sign in', { Email: GOOD.email, Password: PASSWORD });
  const back = await atCode.submit('Continue', { Code: code() });
  expect([back.path, back.html.includes('value="Ada Byron"')]).toEqual(['/settings/profile', true]);
});

test('the password waits in one browser, for ten minutes', async () => {
  await using scene = await servePages();
  const { atCode, code } = await withSecondFactor(scene);
  const { page } = await atCode();
  const other = scene.visitor();
  expect((await other.get('/sign-in/code')).heading).toBe('Sign in');
  const foreign = await other.post('/sign-in/code', page.fill('Continue', { Code: code() }));
  expect(foreign.status).toBe(403);
  scene.world.clock.advance(10 * 60_000);
  expect((await page.submit('Continue', { Code: code() })).heading).toBe('Sign in');
});

test('the secret of the cookie is no session, and a session is no such secret', async () => {
  await using scene = await servePages();
  const { atCode } = await withSecondFactor(scene);
  const { visitor } = await atCode();
  const pending = visitor.cookies.get('gatehouse-pending') ?? '';
  visitor.cookies.set('gatehouse', pending);
  expect((await visitor.get('/settings/profile')).heading).toBe('Sign in');
});

test('after five wrong codes the page tells how long to wait', async () => {
  await using scene = await servePages();
  const { atCode, code } = await withSecondFactor(scene);
  let { page } = await atCode();
  for (let count = 0; count < 5; count += 1) page = await page.submit('Continue', { Code: '000000' });
  const paused = await page.submit('Continue', { Code: code() });
  expect([paused.status, paused.headers.get('retry-after'), paused.messages]).toEqual([
    429,
    '900',
    ['Too many wrong codes. Try again in 15 minutes.'],
  ]);
});

test('a reset while the code is awaited leads back to the password', async () => {
  await using scene = await servePages();
  const { atCode, code } = await withSecondFactor(scene);
  const { page } = await atCode();
  unwrap(await resetSecondFactor(scene.world)(OPERATOR, { email: GOOD.email, reason: 'lost phone' }));
  const back = await page.submit('Continue', { Code: code() });
  expect([back.path, back.heading]).toEqual(['/sign-in', 'Sign in']);
  const visitor = await scene.signedIn();
  expect((await visitor.get('/settings/second-factor')).text).toContain('The reason: lost phone');
});
