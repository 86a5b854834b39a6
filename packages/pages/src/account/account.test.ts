import { givenUser, OPERATOR, PASSWORD, unwrap } from '@gatehouse/domain/testing';
import { setRole } from '@gatehouse/domain/users';
import { expect, test } from 'vitest';
import { asMember } from '../../testing/as-member.ts';
import { NAUGHTY_TEXTS, shownText } from '../../testing/naughty-texts.ts';
import { servePages } from '../../testing/serve-pages.ts';

const PATH = '/settings/account';

type Scene = Awaited<ReturnType<typeof servePages>>;

const nameIn = async ({ world, people }: Scene) =>
  (await world.accounts.findById(people.admin.accountId))?.name;

test('an admin renames the account', async () => {
  await using scene = await servePages();
  const page = await (await scene.signedIn()).get(PATH);
  expect([page.status, page.heading]).toEqual([200, 'Account']);
  const renamed = await page.submit('Rename', { Name: 'Acme Works' });
  expect([renamed.path, renamed.messages]).toEqual([PATH, ['The account was renamed.']]);
  expect(renamed.text).toContain('Acme Works');
  expect(await nameIn(scene)).toBe('Acme Works');
});

test('the page shows the ID, the numbers and the admins, to a member without a form', async () => {
  await using scene = await servePages();
  const { admin } = scene.people;
  for (const visitor of [await scene.signedIn(), await asMember(scene)]) {
    const page = await visitor.get(PATH);
    expect(page.text).toMatch(new RegExp(`ID ?${admin.accountId}\\b`));
    expect(page.text).toMatch(/Active users ?\d/);
    expect(page.html).toContain(`mailto:${admin.email}`);
  }
  const page = await (await asMember(scene)).get(PATH);
  expect(page.forms.map(({ button }) => button)).toEqual(['Sign out']);
});

test('the address of an admin adds no recipient to the message of a member', async () => {
  await using scene = await servePages();
  const { accountId } = scene.people.admin;
  await givenUser(scene.world, accountId, {
    email: 'a?bcc=eve%40evil.example&x=@acme.example',
    role: 'admin',
  });
  const page = await (await asMember(scene)).get(PATH);
  expect(page.html).toContain('href="mailto:a%3Fbcc%3Deve%2540evil.example%26x%3D@acme.example"');
});

test('a member who sends the form of an admin renames nothing', async () => {
  await using scene = await servePages();
  const { admin, account } = scene.people;
  await givenUser(scene.world, admin.accountId);
  const visitor = await scene.signedIn();
  const page = await visitor.get(PATH);
  unwrap(await setRole(scene.world)(OPERATOR, { email: admin.email, role: 'member' }));
  const refused = await page.submit('Rename', { Name: 'Mine' });
  expect([refused.status === 200, await nameIn(scene)]).toEqual([false, account.name]);
});

test('the password is asked for again when it was given more than ten minutes ago', async () => {
  await using scene = await servePages();
  const visitor = await scene.signedIn();
  scene.world.clock.advance(11 * 60_000);
  const page = await visitor.get(PATH);
  const before = await nameIn(scene);
  for (const Password of ['', 'wrong']) {
    const refused = await page.submit('Rename', { Name: 'Acme Works', Password });
    expect([refused.status, await nameIn(scene)]).toEqual([422, before]);
    expect(refused.html).toContain('value="Acme Works"');
  }
  const renamed = await page.submit('Rename', { Name: 'Acme Works', Password: PASSWORD });
  expect([renamed.messages, await nameIn(scene)]).toEqual([['The account was renamed.'], 'Acme Works']);
});

test('an invalid name is refused, and the same name changes nothing', async () => {
  await using scene = await servePages();
  const visitor = await scene.signedIn();
  const before = (await nameIn(scene)) ?? '';
  const page = await visitor.get(PATH);
  expect((await page.submit('Rename', { Name: ' ' })).status).toBe(422);
  expect((await page.submit('Rename', { Name: before })).messages).toEqual([]);
  expect(await nameIn(scene)).toBe(before);
});

test('whatever the account and its admins are called is text', async () => {
  await using scene = await servePages();
  const visitor = await scene.signedIn();
  for (const text of NAUGHTY_TEXTS.slice(0, 5)) {
    await scene.world.accounts.rename(scene.people.admin.accountId, text, (account) => ({
      at: account.createdAt,
      actor: { kind: 'operator', name: 'root' },
      origin: 'test',
      action: 'account.renamed',
      subject: { type: 'account', id: String(account.id) },
      accountId: account.id,
      details: {},
    }));
    const page = await visitor.get(PATH);
    expect(page.text).toContain(shownText(text).trim().slice(0, 4));
    expect(page.html).not.toMatch(/<script>alert|<img|<svg\/|<b>/);
  }
});
