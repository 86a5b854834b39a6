import { GOOD, givenPerson, OPERATOR, PASSWORD, unwrap } from '@gatehouse/domain/testing';
import { setRole } from '@gatehouse/domain/users';
import { describe, expect, test, vi } from 'vitest';
import { serveFirstUse } from '../../testing/serve-first-use.ts';
import { servePages } from '../../testing/serve-pages.ts';
import { createVisitor, type Visitor } from '../../testing/visitor.ts';

type Scene = Awaited<ReturnType<typeof servePages>>;

const [TOKENS, NEW, SESSIONS, PATH] = [
  '/settings/api',
  '/settings/api/new',
  '/settings/sessions',
  '/settings/password',
];
const TYPED = { Name: 'Nightly export', 'Read the owner of the token me:read': true };
const NEW_PASSWORD = 'another horse battery';

const NOT_DONE =
  'Your session had ended or was being renewed, so this form was not accepted. Check the form and send it again.';
const LOST =
  'Your session was renewed, but this browser did not receive the new cookie. Sign in again to continue.';

const secretOf = ({ cookies }: Visitor) => cookies.get('gatehouse') ?? expect.fail('not signed in');

/** Another browser with these cookies. */
function copyOf(scene: { readonly url: string }, { cookies }: Visitor): Visitor {
  const copy = createVisitor(scene.url);
  for (const [name, value] of cookies) copy.cookies.set(name, value);
  return copy;
}

async function confirm({ world }: Pick<Scene, 'world'>, visitor: Visitor) {
  world.clock.advance(11 * 60_000);
  const page = await (await visitor.get(NEW)).submit('Create token', { ...TYPED, Password: PASSWORD });
  expect(page.heading).toBe('Token created');
}

async function changePassword(_: Scene, visitor: Visitor) {
  const typed = { 'Current password': PASSWORD, 'New password': NEW_PASSWORD };
  const again = { 'Confirm new password': NEW_PASSWORD };
  const page = await (await visitor.get(PATH)).submit('Change password', { ...typed, ...again });
  expect(page.messages).toEqual(['Your password was changed. All your other sessions were ended.']);
}

async function changeRole({ world, people: { admin, account } }: Scene, visitor: Visitor) {
  await givenPerson(world, { accountId: account.id, email: 'cy@acme.example' });
  unwrap(await setRole(world)(OPERATOR, { email: admin.email, role: 'member' }));
  expect((await visitor.get(SESSIONS)).heading).toBe('Sessions');
}

const RENEWALS = {
  'after the password was given again': confirm,
  'after the password was changed': changePassword,
  'after the next request once the role was changed': changeRole,
};

describe.each(Object.entries(RENEWALS))('%s', (_, renew) => {
  test('a copy of the cookie from before opens nothing at once, and the browser goes on', async () => {
    await using scene = await servePages();
    const visitor = await scene.signedIn();
    const copy = copyOf(scene, visitor);
    await renew(scene, visitor);
    expect(secretOf(visitor)).not.toBe(secretOf(copy));
    for (const path of [TOKENS, NEW, SESSIONS, PATH, '/sign-out']) {
      const { status, headers, text } = await copy.ask(path);
      expect([status, text]).toEqual([303, '']);
      expect(headers.get('location')).toMatch(/^\/sign-in/);
    }
    const asked = await copy.get(TOKENS);
    expect([asked.heading, asked.text.includes(GOOD.email)]).toEqual(['Sign in', false]);
    expect(copy.cookies.get('gatehouse')).not.toBe(secretOf(visitor));
    expect((await visitor.get(SESSIONS)).heading).toBe('Sessions');
  });

  test('a form that was open in another tab is still good', async () => {
    await using scene = await servePages();
    const visitor = await scene.signedIn();
    await scene.signedIn();
    const tab = await visitor.get(SESSIONS);
    await renew(scene, visitor);
    const page = await tab.submit('End all other sessions');
    expect(page.messages).toEqual(['All your other sessions were ended.']);
  });

  test('nothing of the new secret is in the log, in lists or in the audit log', async () => {
    await using scene = await servePages();
    const visitor = await scene.signedIn();
    await renew(scene, visitor);
    const secret = secretOf(visitor);
    const audited = JSON.stringify(await scene.world.audit.list({ limit: 100 }));
    const page = await visitor.get(SESSIONS);
    for (const text of [scene.lines.join(''), audited, page.html]) expect(text).not.toContain(secret);
  });
});

describe('a request that was on its way with the secret from before', () => {
  test('waits on the sign-in page, and goes on with the new secret', async () => {
    await using scene = await servePages();
    const visitor = await scene.signedIn();
    const tab = copyOf(scene, visitor);
    await confirm(scene, visitor);
    const page = await tab.get(`${TOKENS}?q=ERP`);
    expect(page.messages).toEqual(['Your session is being renewed. This page reloads automatically.']);
    const [, again = ''] = /^2; url=(.*)$/.exec(page.headers.get('refresh') ?? '') ?? [];
    tab.cookies.set('gatehouse', secretOf(visitor));
    const back = await tab.get(again);
    expect([back.path, back.heading]).toEqual([`${TOKENS}?q=ERP`, 'API tokens']);
  });

  test('is asked to sign in after one wait, where the browser never got the new secret', async () => {
    await using scene = await servePages();
    const visitor = await scene.signedIn();
    const tab = copyOf(scene, visitor);
    await confirm(scene, visitor);
    const page = await tab.get(TOKENS);
    const again = await tab.get(/url=(.*)$/.exec(page.headers.get('refresh') ?? '')?.[1] ?? '');
    expect([again.heading, again.headers.get('refresh'), again.messages]).toEqual(['Sign in', null, [LOST]]);
    scene.world.clock.advance(60_001);
    expect((await tab.get(TOKENS)).headers.get('refresh')).toBeNull();
    const back = await again.submit('Sign in', { Email: GOOD.email, Password: PASSWORD });
    expect(back.path).toBe(TOKENS);
  });

  test('changes nothing, and what it typed is there with the new secret', async () => {
    await using scene = await servePages();
    const visitor = await scene.signedIn();
    const tab = copyOf(scene, visitor);
    const form = await tab.get(NEW);
    await changePassword(scene, visitor);
    const values = form.fill('Create token', { ...TYPED, Name: 'Wiki' });
    const response = await tab.ask(NEW, {
      method: 'POST',
      body: `${values}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: scene.url },
    });
    expect([response.status, response.headers.get('location')]).toEqual([
      303,
      `/sign-in?next=${encodeURIComponent(NEW)}`,
    ]);
    tab.cookies.set('gatehouse', secretOf(visitor));
    const back = await tab.get(response.headers.get('location') ?? '');
    expect([back.path, back.fill('Create token').get('name')]).toEqual([NEW, 'Wiki']);
    expect(back.messages).toEqual([NOT_DONE]);
    expect((await back.submit('Create token')).heading).toBe('Token created');
  });

  test('loses nothing that it typed where the browser never gets the new secret', async () => {
    await using scene = await servePages();
    const visitor = await scene.signedIn();
    const tab = copyOf(scene, visitor);
    const form = await tab.get(NEW);
    await confirm(scene, visitor);
    const page = await form.submit('Create token', { ...TYPED, Name: 'Wiki' });
    const again = await tab.get(/url=(.*)$/.exec(page.headers.get('refresh') ?? '')?.[1] ?? '');
    expect(again.messages).toEqual([LOST]);
    const back = await again.submit('Sign in', { Email: GOOD.email, Password: PASSWORD });
    expect([back.path, back.fill('Create token').get('name')]).toEqual([NEW, 'Wiki']);
    expect(back.messages).toEqual([NOT_DONE]);
    expect((await back.submit('Create token')).heading).toBe('Token created');
  });

  test('signs out all the same', async () => {
    await using scene = await servePages();
    const visitor = await scene.signedIn();
    const tab = copyOf(scene, visitor);
    const page = await tab.get(SESSIONS);
    await confirm(scene, visitor);
    expect((await page.submit('Sign out')).messages).toEqual(['You are signed out.']);
    expect((await visitor.get(SESSIONS)).heading).toBe('Sign in');
  });

  test('ends the session that a sign-in in its browser replaces', async () => {
    await using scene = await servePages();
    const visitor = await scene.signedIn();
    const tab = copyOf(scene, visitor);
    await confirm(scene, visitor);
    await tab.signIn(GOOD, '/sign-in?waited');
    expect((await visitor.get(SESSIONS)).heading).toBe('Sign in');
    expect((await tab.get(SESSIONS)).heading).toBe('Sessions');
  });
});

test('of two forms that give the password at once with one secret, one is done, and the other can be sent again', async () => {
  await using scene = await servePages();
  const visitor = await scene.signedIn();
  scene.world.clock.advance(11 * 60_000);
  const tabs = [copyOf(scene, visitor), copyOf(scene, visitor)];
  const before = secretOf(visitor);
  const pages = await Promise.all(tabs.map((tab) => tab.get(NEW)));
  const names = ['ERP', 'Wiki'];
  const done = await Promise.all(
    pages.map((page, index) =>
      page.submit('Create token', { ...TYPED, Name: names[index] ?? '', Password: PASSWORD }),
    ),
  );
  expect(done.map(({ heading }) => heading).toSorted()).toEqual(['Sign in', 'Token created']);
  // The tabs of a browser share its cookies.
  const renewed = tabs.map(secretOf).filter((secret) => secret !== before);
  expect(renewed).toHaveLength(1);
  const late = tabs.find((tab) => secretOf(tab) === before) ?? expect.fail('none');
  late.cookies.set('gatehouse', renewed[0] ?? '');
  const back = await late.get(NEW);
  expect(names).toContain(back.fill('Create token').get('name'));
  expect((await back.submit('Create token')).heading).toBe('Token created');
});

test('the new secret reaches the browser even if something fails after it', async () => {
  const issueToken = vi.fn().mockRejectedValue(new Error('broken'));
  await using scene = await servePages({ useCases: { issueToken } });
  const visitor = await scene.signedIn();
  const before = secretOf(visitor);
  scene.world.clock.advance(11 * 60_000);
  const page = await (await visitor.get(NEW)).submit('Create token', { ...TYPED, Password: PASSWORD });
  expect([page.status, issueToken.mock.calls.length]).toEqual([500, 1]);
  expect(secretOf(visitor)).not.toBe(before);
  expect((await visitor.get(SESSIONS)).heading).toBe('Sessions');
});

test('a changed role takes back the password that was given', async () => {
  await using scene = await servePages();
  const { world, people } = scene;
  await givenPerson(world, { accountId: people.account.id, email: 'cy@acme.example' });
  const visitor = await scene.signedIn();
  unwrap(await setRole(world)(OPERATOR, { email: people.admin.email, role: 'member' }));
  unwrap(await setRole(world)(OPERATOR, { email: people.admin.email, role: 'admin' }));
  const page = await visitor.get(NEW);
  expect(page.html).toContain('Enter the password of');
  expect((await page.submit('Create token', { ...TYPED, Password: '' })).status).toBe(422);
});

test('a stream that waits for a first use connects again with the new secret', async () => {
  await using scene = await serveFirstUse();
  const copy = copyOf(scene, scene.visitor);
  const body = (await scene.open(copy)).text();
  await scene.pass(3);
  await confirm(scene, scene.visitor);
  await scene.pass(17);
  expect(await body).toBe('retry: 3000\n\n');
  const late = await scene.open(copy);
  expect([late.status, await late.text()]).toEqual([200, 'retry: 3000\n\n']);
  scene.world.clock.advance(60_001);
  expect((await scene.open(copy)).status).toBe(204);
  expect((await scene.open()).status).toBe(200);
  scene.abort();
});
