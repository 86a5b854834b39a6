import { openSession } from '@gatehouse/domain/sessions';
import { PASSWORD, unwrap } from '@gatehouse/domain/testing';
import { describe, expect, test } from 'vitest';
import { NAUGHTY_TEXTS } from '../../testing/naughty-texts.ts';
import { servePages } from '../../testing/serve-pages.ts';

const PATH = '/settings/sessions';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0';

type Scene = Awaited<ReturnType<typeof servePages>>;

/** A session of the admin in another browser. */
const another = async (
  { world, people }: Scene,
  userAgent: string | null = FIREFOX,
  address = '10.0.0.5',
  { email } = people.admin,
) => unwrap(await openSession(world)({ email, password: PASSWORD, address, userAgent })).session;

const sessionsOf = async ({ world, people }: Scene) => {
  const live = { createdAfter: 0, seenAfter: 0 } as never;
  return (await world.sessions.list(people.admin.id, live)).map(({ id }) => id);
};

test('each browser is there with its name, times and address, this one first and marked', async () => {
  await using scene = await servePages();
  await another(scene);
  scene.world.clock.advance(5 * 60_000);
  const page = await (await scene.signedIn()).get(PATH);
  expect([page.status, page.heading]).toEqual([200, 'Sessions']);
  const rows = [...page.html.matchAll(/<tr>.*?<\/tr>/gs)].map(([row]) =>
    row
      .replace(/<span class="visually-hidden">.*?<\/span>|<input[^>]*>/gs, '')
      .replace(/<[^>]+>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
  );
  expect(rows.slice(1)).toEqual([
    'Unknown browser just now Now 127.0.0.1 This session',
    'Firefox on Linux 5 minutes ago 5 minutes ago 10.0.0.5 End session',
  ]);
  expect(page.html).toContain(`title="${FIREFOX}"`);
});

test('a browser alone is told of no others', async () => {
  await using scene = await servePages();
  const page = await (await scene.signedIn()).get(PATH);
  expect(page.forms.map(({ button }) => button)).toEqual(['Sign out']);
});

describe('ending', () => {
  test('one leaves the others', async () => {
    await using scene = await servePages();
    const visitor = await scene.signedIn();
    const kept = await another(scene, FIREFOX, '10.0.0.5');
    const ended = await another(scene, FIREFOX, '10.0.0.9');
    const page = await (await visitor.get(PATH)).submit('End session', {}, '10.0.0.9');
    expect([page.status, page.path, page.messages]).toEqual([200, PATH, ['The session was ended.']]);
    const left = await sessionsOf(scene);
    expect(left).toContain(kept.id);
    expect(left).not.toContain(ended.id);
    expect(left).toHaveLength(2);
  });

  test('all others leaves this one', async () => {
    await using scene = await servePages();
    const visitor = await scene.signedIn();
    for (let index = 0; index < 3; index += 1) await another(scene);
    const page = await (await visitor.get(PATH)).submit('End all other sessions');
    expect(page.messages).toEqual(['All your other sessions were ended.']);
    expect(await sessionsOf(scene)).toHaveLength(1);
    expect((await visitor.get(PATH)).status).toBe(200);
  });

  test('one that has ended meanwhile says so', async () => {
    await using scene = await servePages();
    const visitor = await scene.signedIn();
    await another(scene);
    const page = await visitor.get(PATH);
    await page.submit('End session');
    expect((await page.submit('End session')).messages).toEqual(['The session had already ended.']);
  });

  test('another user’s session does nothing', async () => {
    await using scene = await servePages();
    const ben = await scene.signedIn({ email: scene.people.member.email, password: PASSWORD });
    const session = await another(scene);
    await another(scene, FIREFOX, '10.0.0.9', scene.people.member);
    // A form's token is for its target: without it, the id of another session is refused before anything is asked.
    const sent = (await ben.get(PATH)).fill('End session');
    sent.set('form_target', session.id);
    expect((await ben.post(PATH, sent)).status).toBe(403);
    const ended = await scene.world.sessions.list(scene.people.member.id, {
      createdAfter: 0,
      seenAfter: 0,
    } as never);
    expect(ended).toHaveLength(2);
    expect(await sessionsOf(scene)).toEqual([session.id]);
  });
});

test('whatever a browser calls itself is text', async () => {
  await using scene = await servePages();
  for (const text of NAUGHTY_TEXTS) await another(scene, text);
  const page = await (await scene.signedIn()).get(PATH);
  expect(page.status).toBe(200);
  expect(page.html).not.toMatch(/<script>alert|<img|<svg\/|<b>|[\u202a-\u202e\u2066-\u2069]/);
  expect(page.html).toContain('title="&quot;&gt;&lt;img src=x onerror=alert(1)&gt;"');
  expect(page.html.split('Unknown browser').length - 1).toBe(NAUGHTY_TEXTS.length + 1);
});

test('a form that was sent after the session’s end ends nothing', async () => {
  await using scene = await servePages();
  const visitor = await scene.signedIn();
  await another(scene);
  const page = await visitor.get(PATH);
  scene.world.clock.advance(31 * 60_000);
  const left = await sessionsOf(scene);
  const asked = await page.submit('End all other sessions');
  expect([asked.status, asked.heading]).toEqual([401, 'Sign in']);
  expect(await sessionsOf(scene)).toEqual(left);
  const back = await asked.submit('Sign in', { Email: scene.people.admin.email, Password: PASSWORD });
  expect([back.path, back.heading]).toEqual([PATH, 'Sessions']);
});

test('a member sees the own sessions, too', async () => {
  await using scene = await servePages();
  const ben = await scene.signedIn({ email: scene.people.member.email, password: PASSWORD });
  const page = await ben.get(PATH);
  expect([page.status, page.text.includes('This session')]).toEqual([200, true]);
});
