import { createVisitor, NAUGHTY_TEXTS, names, type Page } from '@gatehouse/pages/testing';
import { expect, test } from 'vitest';
import { startTestServer } from '../../testing/start-test-server.ts';

const TOKENS = '/settings/api';
const ACTIVITY = '/settings/api/activity';

const countRows = ({ html }: Page) => html.split('scope="row"').length - 1;

test('the list of tokens asks PostgreSQL at most four times, whatever is asked for', async () => {
  await using served = await startTestServer({ database: 'postgres' });
  const visitor = createVisitor(served.url);
  const { email, password } = served.demo.admin;
  await visitor.signIn({ email, password }, '/sign-in?next=%2Fsettings%2Fpassword');
  const ask = async (query: string) => {
    const before = served.statements();
    const page = await visitor.get(`${TOKENS}${query}`);
    return { page, asked: served.statements() - before };
  };
  // The first page reads the services, which the server then keeps in memory.
  await ask('');
  const { page, asked } = await ask('');
  expect([page.status, names(page), asked]).toEqual([200, ['Demo'], 4]);
  for (const query of [
    '?search=demo',
    '?search=x',
    '?order=expiry&expires=never',
    '?section=ended',
    '?state=refused',
    '?owner=x',
  ]) {
    const found = await ask(query);
    expect(found.page.status).toBe(200);
    expect(found.asked, query).toBeLessThanOrEqual(4);
  }
  for (const text of NAUGHTY_TEXTS) {
    expect((await ask(`?${new URLSearchParams({ search: text, owner: text })}`)).page.status, text).toBe(200);
  }
  const member = createVisitor(served.url);
  await member.signIn(served.demo.member, '/sign-in?next=%2Fsettings%2Fpassword');
  const before = served.statements();
  expect((await member.get(TOKENS)).text).toContain(`Ada ${email}`);
  expect(served.statements() - before).toBe(2);
});

test('the activity asks PostgreSQL at most four times', async () => {
  await using served = await startTestServer({ database: 'postgres' });
  const visitor = createVisitor(served.url);
  const { email, password } = served.demo.admin;
  await visitor.signIn({ email, password }, '/sign-in?next=%2Fsettings%2Fpassword');
  const count = async (query: string) => {
    const before = served.statements();
    const page = await visitor.get(`${ACTIVITY}${query}`);
    return [page.status, countRows(page), served.statements() - before];
  };
  expect(await count('')).toEqual([200, 9, 2]);
  expect(await count(`?kind=token&user=${email}&before=999999`)).toEqual([200, 1, 3]);
  expect(await count('?change=created')).toEqual([200, 7, 2]);
  expect(await count('?user=eve@acme.example')).toEqual([200, 0, 2]);
  for (const text of NAUGHTY_TEXTS)
    expect((await count(`?${new URLSearchParams({ user: text, token: text })}`))[0]).toBe(200);
});
