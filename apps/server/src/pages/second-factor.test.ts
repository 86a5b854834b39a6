import { totpStep } from '@gatehouse/domain/second-factor';
import type { Instant } from '@gatehouse/domain/time';
import { createSecondFactorSecrets } from '@gatehouse/installation';
import { createVisitor } from '@gatehouse/pages/testing';
import { expect, test } from 'vitest';
import { signInWith } from '../../testing/client.ts';
import { startTestServer } from '../../testing/start-test-server.ts';

const ORIGIN = 'https://gatehouse.example';
const SETTINGS = { PUBLIC_URL: ORIGIN };
const PATH = '/settings/second-factor';

/** Returns the codes of a secret in base32, by the number of steps from now. */
function appWith(secret: string) {
  const bits = [...secret].map((each) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(each));
  const text = bits.map((value) => value.toString(2).padStart(5, '0')).join('');
  const bytes = text.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? [];
  const begun = totpStep(Date.now() as Instant);
  return (steps: number) => createSecondFactorSecrets().codeOf(Uint8Array.from(bytes), begun + steps);
}

async function threeServers() {
  await using starting = new AsyncDisposableStack();
  const first = starting.use(await startTestServer({ database: 'postgres', settings: SETTINGS }));
  const options = { database: first.database, settings: SETTINGS };
  const second = starting.use(await startTestServer(options));
  const third = starting.use(await startTestServer(options));
  const stack = starting.move();
  const urls = [first.url, second.url, third.url] as const;
  const visitor = () => createVisitor([...urls], ORIGIN);
  return { first, urls, visitor, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

test('a user whose requests go to three servers in turn enrols, signs in and confirms with codes', async () => {
  await using scene = await threeServers();
  const { email, password } = scene.first.demo.admin;
  const visitor = scene.visitor();
  const page = await visitor.signIn({ email, password }, `/sign-in?next=${PATH}`);
  const shown = await page.submit('Set up');
  const code = appWith(/secret=([A-Z2-7]+)/.exec(shown.html)?.[1] ?? '');
  const done = await shown.submit('Turn on', { Code: code(-1) });
  const recoveryCodes = /<code id="codes">([^<]*)</.exec(done.html)?.[1]?.split('\n') ?? [];
  expect([done.heading, recoveryCodes.length]).toEqual(['Second factor turned on', 10]);

  for (const url of scene.urls) {
    const refused = await signInWith(url, { email, password });
    expect(refused.status).toBe(401);
  }
  const other = scene.visitor();
  const asked = await other.signIn({ email, password }, '/sign-in?next=/settings/password');
  expect([asked.heading, asked.path]).toEqual([
    'Enter the code',
    '/sign-in/code?next=%2Fsettings%2Fpassword',
  ]);
  expect((await asked.submit('Continue', { Code: code(-1) })).status).toBe(401);
  const inside = await asked.submit('Continue', { Code: code(0) });
  expect(inside.path).toBe('/settings/password');
  expect([...other.cookies.keys()]).toEqual(['__Host-gatehouse']);
  const changed = await inside.submit('Change password', {
    'Current password': password,
    'New password': 'another horse battery',
    'Confirm new password': 'another horse battery',
    Code: recoveryCodes[3] ?? '',
  });
  expect(changed.messages).toEqual(['Your password was changed. All your other sessions were ended.']);
});

test('wrong codes at several servers count together', async () => {
  await using scene = await threeServers();
  const { email, password } = scene.first.demo.admin;
  const visitor = scene.visitor();
  const shown = await (await visitor.signIn({ email, password }, `/sign-in?next=${PATH}`)).submit('Set up');
  const code = appWith(/secret=([A-Z2-7]+)/.exec(shown.html)?.[1] ?? '');
  await shown.submit('Turn on', { Code: code(-1) });
  const other = scene.visitor();
  let page = await other.signIn({ email, password });
  for (let count = 0; count < 5; count += 1) {
    page = await page.submit('Continue', { Code: code(-1) });
    expect(page.status).toBe(401);
  }
  const paused = await page.submit('Continue', { Code: code(0) });
  expect([paused.status, paused.messages]).toEqual([429, ['Too many wrong codes. Try again in 15 minutes.']]);
  expect((await visitor.get('/settings/api')).status).toBe(200);
});

test('the sign-in of a user without a second factor asks the database as often as ever', async () => {
  await using server = await startTestServer({ database: 'postgres', settings: SETTINGS });
  const visitor = createVisitor(server.url, ORIGIN);
  const { email, password } = server.demo.admin;
  const page = await visitor.get('/sign-in?next=/docs');
  const before = server.statements();
  const done = await visitor.ask('/sign-in', {
    method: 'POST',
    body: `${page.fill('Sign in', { Email: email, Password: password })}`,
    headers: { origin: ORIGIN, 'content-type': 'application/x-www-form-urlencoded' },
  });
  expect([done.status, server.statements() - before]).toEqual([303, 9]);
});
