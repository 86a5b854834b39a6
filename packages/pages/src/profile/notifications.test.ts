import { expect, test } from 'vitest';
import { servePages } from '../../testing/serve-pages.ts';

const PATH = '/settings/notifications';

test('a user turns messages off and on again', async () => {
  await using scene = await servePages({ isMailSetUp: true });
  const { admin } = scene.people;
  const visitor = await scene.signedIn();
  const off = await (await visitor.get(PATH)).submit('Save', { 'Your tokens': false });
  expect([off.path, off.messages]).toEqual([PATH, ['Your notifications were saved.']]);
  const find = () => scene.world.noticePreferences.find(admin.id);
  expect(await find()).toEqual({ tokens: false, account: true });
  const [{ event } = expect.fail()] = await scene.world.audit.list({ limit: 1 });
  expect(event).toMatchObject({ action: 'user.notices_set', details: { tokens: false, account: true } });
  const same = await (await visitor.get(PATH)).submit('Save');
  expect(same.messages).toEqual([]);
  await (await visitor.get(PATH)).submit('Save', { 'Your tokens': true });
  expect(await find()).toEqual({ tokens: true, account: true });
});

test('the page says that no messages are sent without a mail server', async () => {
  for (const isMailSetUp of [true, false]) {
    await using scene = await servePages({ isMailSetUp });
    const { text } = await (await scene.signedIn()).get(PATH);
    expect(text.includes('does not send email yet')).toBe(!isMailSetUp);
    expect(text).toContain('You always get emails about your own sign-in');
  }
});
