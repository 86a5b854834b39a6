import { GOOD, PASSWORD } from '@gatehouse/domain/testing';
import { expect, test } from 'vitest';
import { servePages } from '../../testing/serve-pages.ts';

const PATH = '/settings/password';
const NEW = 'another horse battery';
const typed = (current: string, next = NEW, again = next) => ({
  'Current password': current,
  'New password': next,
  'Confirm new password': again,
});

test('one’s own password is changed, which ends all other sessions', async () => {
  await using scene = await servePages();
  const [visitor, other] = [await scene.signedIn(), await scene.signedIn()];
  const page = await (await visitor.get(PATH)).submit('Change password', typed(PASSWORD));
  expect([page.status, page.path, page.heading]).toEqual([200, PATH, 'Password']);
  expect(page.messages).toEqual(['Your password was changed. All your other sessions were ended.']);
  expect((await visitor.get(PATH)).messages).toEqual([]);
  expect((await other.get(PATH)).heading).toBe('Sign in');
  expect((await scene.visitor().signIn(GOOD)).status).toBe(401);
  await scene.signedIn({ ...GOOD, password: NEW });
});

test.each([
  ['a wrong password', typed('x'), 'Current password', 'The current password is wrong.'],
  [
    'a short password',
    typed(PASSWORD, 'short'),
    'New password',
    'New password must be 12 to 1024 characters long.',
  ],
  ['two passwords', typed(PASSWORD, NEW, 'x'), 'Confirm new password', 'Passwords do not match.'],
])(
  '%s changes nothing, and is told of at its field, which has the focus',
  async (_, values, label, message) => {
    await using scene = await servePages();
    const visitor = await scene.signedIn();
    const page = await (await visitor.get(PATH)).submit('Change password', values);
    expect(page.status).toBe(422);
    expect(page.messages).toEqual([`Check one field. ${message}`, message]);
    const [, field, describedBy] =
      /<input id="(\w+)"[^>]* autofocus aria-describedby="([^"]*)" aria-invalid="true">/.exec(page.html) ??
      [];
    expect(page.html).toContain(`<label for="${field}">${label}</label>`);
    expect(describedBy?.split(' ').at(-1)).toBe(`${field}-error`);
    expect(page.html).not.toContain(PASSWORD);
    await scene.signedIn();
  },
);

test('a new password that is weak and typed in two ways is told of both', async () => {
  await using scene = await servePages();
  const visitor = await scene.signedIn();
  const page = await (await visitor.get(PATH)).submit('Change password', typed(PASSWORD, 'short', 'x'));
  const weak = 'New password must be 12 to 1024 characters long.';
  expect([page.status, page.messages]).toEqual([
    422,
    [`Check 2 fields. ${weak} Passwords do not match.`, weak, 'Passwords do not match.'],
  ]);
});

test('a new password has to be sent by a browser that is signed in', async () => {
  await using scene = await servePages();
  const visitor = await scene.signedIn();
  const page = await visitor.get(PATH);
  scene.world.clock.advance(31 * 60_000);
  const asked = await page.submit('Change password', typed(PASSWORD));
  expect([asked.status, asked.heading]).toEqual([401, 'Sign in']);
  expect(asked.html).not.toContain('horse');
  const back = await asked.submit('Sign in', { Email: GOOD.email, Password: PASSWORD });
  expect([back.status, back.path, back.heading]).toEqual([200, PATH, 'Password']);
});
