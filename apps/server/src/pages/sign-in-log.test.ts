import { GOOD } from '@gatehouse/domain/testing';
import { expect, test, vi } from 'vitest';
import { signInWith } from '../../testing/client.ts';
import { startTestServer } from '../../testing/start-test-server.ts';

test('a sign-in on a page is counted and logged as the API’s is, without the password', async () => {
  const inc = vi.fn();
  await using scene = await startTestServer({ ports: { signIns: { inc } } });
  await scene.visitor().signIn({ ...GOOD, password: 'hunter2' });
  await scene.visitor().signIn(GOOD);
  expect(inc.mock.calls).toEqual([['credentials_not_accepted'], ['accepted']]);
  expect(scene.entries()).toMatchObject([
    { outcome: 'credentials_not_accepted', email: GOOD.email, address: '127.0.0.1' },
    { outcome: 'accepted', email: GOOD.email, address: '127.0.0.1' },
  ]);
  expect(scene.lines.join('')).not.toMatch(/hunter2|horse/);
});

test('one email has the same tag in the lines of pages and of the API', async () => {
  await using scene = await startTestServer();
  await scene.visitor().signIn(GOOD);
  await signInWith(scene.url, GOOD);
  const tags = scene.entries().map((line) => line.email_tag);
  expect(tags).toEqual([expect.any(String), tags[0]]);
});
