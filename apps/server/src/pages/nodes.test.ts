import { createVisitor } from '@gatehouse/pages/testing';
import { expect, test } from 'vitest';
import { call, ME } from '../../testing/client.ts';
import { startTestServer } from '../../testing/start-test-server.ts';

const ORIGIN = 'https://gatehouse.example';
const PATH = '/settings/password';
const NEW = 'another horse battery';

test('a browser whose requests go to three servers in turn notices nothing of it', async () => {
  const settings = { PUBLIC_URL: ORIGIN };
  await using first = await startTestServer({ database: 'postgres', settings });
  const options = { database: first.database, settings };
  await using second = await startTestServer(options);
  await using third = await startTestServer(options);
  const visitor = createVisitor([first.url, second.url, third.url], ORIGIN);
  const { email, password } = first.demo.admin;
  const page = await visitor.signIn({ email, password }, `/sign-in?next=${PATH}`);
  expect([page.status, page.path, page.heading]).toEqual([200, PATH, 'Password']);
  expect([...visitor.cookies.keys()]).toEqual(['__Host-gatehouse']);
  const typed = { 'Current password': password, 'New password': NEW, 'Confirm new password': NEW };
  const changed = await page.submit('Change password', typed);
  expect(changed.messages).toEqual(['Your password was changed. All your other sessions were ended.']);
  expect((await changed.submit('Sign out')).messages).toEqual(['You are signed out.']);
  expect((await visitor.signIn({ email, password })).status).toBe(401);
});

test('a page that only shows asks the database once', async () => {
  await using server = await startTestServer({ database: 'postgres', settings: { PUBLIC_URL: ORIGIN } });
  const visitor = createVisitor(server.url, ORIGIN);
  const { email, password } = server.demo.admin;
  await visitor.signIn({ email, password }, `/sign-in?next=${PATH}`);
  const before = server.statements();
  expect((await visitor.get(PATH)).status).toBe(200);
  expect(server.statements() - before).toBe(1);
  // The header says who is signed in; of a visitor without a session nothing is read.
  await visitor.get('/');
  expect(server.statements() - before).toBe(2);
  const unknown = createVisitor(server.url, ORIGIN);
  for (const path of ['/', '/docs', '/nope', '/sign-in']) await unknown.get(path);
  expect(server.statements() - before).toBe(2);
});

test('any server tells of a first use at any other, and of a session that another ended', async () => {
  const settings = { PUBLIC_URL: ORIGIN };
  await using first = await startTestServer({ database: 'postgres', settings });
  const options = { database: first.database, settings };
  await using second = await startTestServer(options);
  await using third = await startTestServer(options);
  const visitor = createVisitor(first.url, ORIGIN);
  const { email, password } = first.demo.admin;
  const form = await visitor.signIn({ email, password }, '/sign-in?next=/settings/api/new');
  const { html } = await form.submit('Create token', {
    Name: 'ERP',
    'Read the owner of the token me:read': true,
  });
  const path = /data-first-use="([^"]+)"/.exec(html)?.[1] ?? expect.fail('no path');
  const token = /data-token[^>]*>([^<]+)</.exec(html)?.[1] ?? expect.fail('no token');
  const elsewhere = createVisitor(second.url, ORIGIN);
  for (const [name, value] of visitor.cookies) elsewhere.cookies.set(name, value);
  const told = elsewhere.ask(path);
  expect((await call(third.url, ME, { token })).status).toBe(200);
  await third.container.services.usage.flush();
  expect((await told).text).toContain('event: use\ndata: {"state":"used"');
  await (await visitor.get(PATH)).submit('Sign out');
  expect((await elsewhere.ask(path)).status).toBe(204);
});
