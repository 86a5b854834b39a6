import { replaceInvisible } from '@gatehouse/domain';
import {
  apiToken,
  givenPerson,
  inPerson,
  PASSWORD,
  revoke,
  signInToken,
  unwrap,
} from '@gatehouse/domain/testing';
import { authenticateToken, rotateToken, type TokenId } from '@gatehouse/domain/tokens';
import { describe, expect, test, vi } from 'vitest';
import { NAUGHTY_TEXTS } from '../../testing/naughty-texts.ts';
import { serveToken } from '../../testing/serve-token.ts';
import type { Page } from '../../testing/visitor.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;
const FORM = 'application/x-www-form-urlencoded';
const GRACE = 'Keep the old token working for';

async function serveErp(...parts: Parameters<typeof serveToken>) {
  const scene = await serveToken(...parts);
  const path = `${scene.path}/rotate`;
  const successors = async () =>
    (await scene.world.tokens.list({ now: scene.world.clock.now(), limit: 100 })).filter(
      ({ replaces }) => replaces?.tokenId === scene.token.id,
    );
  return { ...scene, path, home: scene.path, successors };
}

const shownToken = ({ html }: Page) => /data-token[^>]*>([^<]+)</.exec(html)?.[1] ?? expect.fail('no token');
const words = ({ text }: Page) => text.replaceAll(/ (?=[,.:])/g, '');

test('the page says first what it will do, and which programs need the new token', async () => {
  await using scene = await serveErp('ERP', { in: 30 * DAY });
  scene.world.clock.advance(10 * DAY);
  for (const from of ['10.0.0.5', '10.0.0.9']) await scene.used(from);
  scene.world.clock.advance(3 * MINUTE);
  const page = await (await scene.signedIn()).get(scene.path);
  expect([page.status, page.heading]).toEqual([200, 'Rotate ERP']);
  expect(words(page)).toContain(
    'ERP was used 3 minutes ago from 10.0.0.5 and 10.0.0.9. Programs that use this token need the new one.',
  );
  expect(words(page)).toContain(
    'The new token expires on 10 February 2026. The old token keeps working until the new token is first used',
  );
  expect(page.formWith('Rotate token').values.get('grace')).toBe('24h');
});

test('of a token that never expires and was never used it says so', async () => {
  await using scene = await serveErp('ERP', 'never');
  const page = await (await scene.signedIn()).get(scene.path);
  expect(words(page)).toContain('The new token never expires.');
  expect(words(page)).toContain('ERP has never been used.');
});

test('the successor is shown once, works, and has what the token had', async () => {
  await using scene = await serveErp();
  const visitor = await scene.signedIn();
  const page = await (await visitor.get(scene.path)).submit('Rotate token', { [GRACE]: '7d' });
  expect(page.status).toBe(200);
  const secret = shownToken(page);
  const [successor, ...more] = await scene.successors();
  expect(more).toEqual([]);
  expect(successor).toMatchObject({ name: 'ERP', scopes: ['orgs:read'], replaces: { graceMs: 7 * DAY } });
  const caller = await authenticateToken(scene.world)(secret, '127.0.0.1');
  expect(caller).toMatchObject({ kind: 'user', userId: scene.people.admin.id, scopes: ['orgs:read'] });
  expect(page.text).toContain('keeps working for 7 days after the new one is first used');
  expect(page.html).toContain(`href="/settings/api/${successor?.id}"`);
  expect(page.headers.get('cache-control')).toBe('no-store');
  expect(scene.lines.join('')).not.toContain(secret);
});

describe('the password', () => {
  test('is not asked for within ten minutes', async () => {
    await using scene = await serveErp();
    const visitor = await scene.signedIn();
    scene.world.clock.advance(10 * MINUTE);
    const verify = vi.spyOn(scene.world.passwords, 'verify');
    shownToken(await (await visitor.get(scene.path)).submit('Rotate token'));
    expect(verify).not.toHaveBeenCalled();
  });

  test.each([
    ['missing', '', 'Password is required, because you last entered it more than 10 minutes ago.'],
    ['wrong', 'x', 'The password is wrong.'],
  ])('is asked for later, and makes nothing where it is %s', async (_, Password, message) => {
    await using scene = await serveErp();
    const visitor = await scene.signedIn();
    scene.world.clock.advance(10 * MINUTE + 1);
    const page = await (await visitor.get(scene.path)).submit('Rotate token', { Password, [GRACE]: '30d' });
    expect([page.status, page.messages.at(-1)]).toEqual([422, message]);
    expect(page.formWith('Rotate token').values.get('grace')).toBe('30d');
    expect(await scene.successors()).toEqual([]);
    shownToken(await page.submit('Rotate token', { Password: PASSWORD }));
  });

  test('that became old while the form was open is asked for by the form’s answer', async () => {
    await using scene = await serveErp();
    const visitor = await scene.signedIn();
    const page = await visitor.get(scene.path);
    scene.world.clock.advance(10 * MINUTE + 1);
    const again = await page.submit('Rotate token');
    expect(again.status).toBe(422);
    expect(await scene.successors()).toEqual([]);
    shownToken(await again.submit('Rotate token', { Password: PASSWORD }));
  });
});

describe('why it cannot be rotated, and what to do instead, is said of a token', () => {
  test('that was revoked, by the page and by a form that was opened before', async () => {
    await using scene = await serveErp();
    const visitor = await scene.signedIn();
    const before = await visitor.get(scene.path);
    await revoke(scene.world, scene.people.admin, scene.token.id);
    for (const page of [await visitor.get(scene.path), await before.submit('Rotate token')]) {
      expect(words(page)).toContain(
        'ERP was revoked by you just now. This token has already ended. Create a token',
      );
      expect(page.html).not.toContain('data-token');
    }
  });

  test('that has expired', async () => {
    await using scene = await serveErp();
    scene.world.clock.advance(2 * DAY);
    const page = await (await scene.signedIn()).get(scene.path);
    expect(words(page)).toContain('ERP expired 1 day ago.');
  });

  test('that is already being replaced, and of its successor', async () => {
    await using scene = await serveErp();
    const visitor = await scene.signedIn();
    const before = await visitor.get(scene.path);
    const caller = inPerson(scene.people.admin);
    const { record } = unwrap(
      await rotateToken(scene.world)(caller, { id: scene.token.id, graceMs: DAY / 2 }),
    );
    for (const page of [await visitor.get(scene.path), await before.submit('Rotate token')]) {
      expect(page.text).toContain('ERP is already being replaced');
      expect(page.links).toContainEqual({ href: `/settings/api/${record.id}`, text: 'See the new token' });
    }
    const page = await visitor.get(`/settings/api/${record.id}/rotate`);
    expect(page.text).toContain('ERP was created to replace another token, and has not been used yet.');
    expect(page.links).toContainEqual({ href: scene.home, text: 'See the other token' });
    await scene.used('10.0.0.5', record.id);
    await revoke(scene.world, scene.people.admin, record.id);
    expect((await visitor.get(scene.path)).text).toContain(
      'ERP was already replaced, and the token that replaced it was revoked.',
    );
    expect(await scene.successors()).toHaveLength(1);
  });

  test('of a sign-in', async () => {
    await using scene = await serveErp();
    const { world, people } = scene;
    await signInToken(world, people.admin);
    const [token] = await world.tokens.list({ kind: 'sign-in', now: world.clock.now(), limit: 1 });
    const page = await (await scene.signedIn()).get(`/settings/api/${token?.id}/rotate`);
    expect(page.text).toContain('Only API tokens can be rotated');
  });
});

test.each([
  ['creator_not_fit', 409, 'owner was disabled'],
  ['token_changed', 409, 'was changed while this form was open'],
  ['no_active_key', 409, 'has no active signing key'],
] as const)('a rotation that ends with %s says so, with the form', async (code, status, text) => {
  await using scene = await serveErp();
  vi.spyOn(scene.world.tokens, 'rotate').mockResolvedValue({ ok: false, error: { code } as never });
  const page = await (await (await scene.signedIn()).get(scene.path)).submit('Rotate token');
  expect([page.status, page.messages[0]]).toEqual([status, expect.stringContaining(text)]);
  expect(page.messages[0]).toContain('The token was not rotated.');
  page.formWith('Rotate token');
});

test('another choice of time than those of the form is refused', async () => {
  await using scene = await serveErp();
  const page = await (await (await scene.signedIn()).get(scene.path)).submit('Rotate token', {
    [GRACE]: '366d',
  });
  expect([page.status, page.messages.at(-1)]).toEqual([422, 'Choose how long the old token keeps working.']);
  expect(await scene.successors()).toEqual([]);
});

test('another account’s token, and one that is not there, are 404; a member may not', async () => {
  await using scene = await serveErp();
  const { accountId } = scene.people.foreign;
  const eve = await givenPerson(scene.world, { accountId, email: 'eve@globex.example' });
  const { record: foreign } = await apiToken(scene.world, eve);
  const ada = await scene.signedIn();
  const sent = (await ada.get(scene.path)).fill('Rotate token');
  for (const id of [foreign.id, '0'.repeat(36), scene.token.id.replaceAll('-', '')]) {
    expect((await ada.get(`/settings/api/${id}/rotate`)).status).toBe(404);
    expect([403, 404]).toContain((await ada.post(`/settings/api/${id}/rotate`, sent)).status);
  }
  const ben = await scene.signedIn({ email: scene.people.member.email, password: PASSWORD });
  expect((await ben.get(scene.path)).status).toBe(403);
  expect(await scene.successors()).toEqual([]);
});

describe('a form that is sent again', () => {
  async function sendTwice(
    scene: Awaited<ReturnType<typeof serveErp>>,
    between: (id: TokenId) => Promise<unknown>,
  ) {
    const visitor = await scene.signedIn();
    const body = `${(await visitor.get(scene.path)).fill('Rotate token')}`;
    const send = () =>
      visitor.ask(scene.path, { method: 'POST', body, headers: { 'content-type': FORM, origin: scene.url } });
    expect((await send()).text).toContain('data-token');
    const [successor] = await scene.successors();
    if (!successor) return expect.fail('no successor');
    await between(successor.id);
    const again = await send();
    expect([again.status, again.headers.get('location'), again.text]).toEqual([
      303,
      `/settings/api/${successor.id}`,
      '',
    ]);
    expect(await scene.successors()).toHaveLength(1);
  }

  test('leads to the page of the successor, and shows no secret', async () => {
    await using scene = await serveErp();
    await sendTwice(scene, async () => undefined);
  });

  test('does so after the successor was used', async () => {
    await using scene = await serveErp();
    await sendTwice(scene, (id) => scene.used('10.0.0.5', id));
  });

  test('does so after the successor was revoked, which brings no other one', async () => {
    await using scene = await serveErp();
    await sendTwice(scene, (id) => revoke(scene.world, scene.people.admin, id));
  });

  test('a thousand times at once makes one successor, shown by one answer', async () => {
    await using scene = await serveErp();
    const visitor = await scene.signedIn();
    const body = `${(await visitor.get(scene.path)).fill('Rotate token')}`;
    const headers = { 'content-type': FORM, origin: scene.url };
    const responses = await Promise.all(
      Array.from({ length: 1000 }, () => visitor.ask(scene.path, { method: 'POST', body, headers })),
    );
    const [successor, ...more] = await scene.successors();
    expect(more).toEqual([]);
    expect(responses.filter(({ text }) => text.includes('data-token'))).toHaveLength(1);
    const location = `/settings/api/${successor?.id}`;
    expect(responses.filter((each) => each.headers.get('location') === location)).toHaveLength(999);
  });
});

test('a form that was open for more than 30 minutes rotates nothing, and is shown again as a new one', async () => {
  await using scene = await serveErp();
  const visitor = await scene.signedIn();
  const form = await visitor.get(scene.path);
  for (let turn = 0; turn < 2; turn += 1) {
    scene.world.clock.advance(15 * 60_000 + 1);
    await visitor.get('/settings/sessions');
  }
  const page = await form.submit('Rotate token');
  expect([page.status, page.messages[0]]).toEqual([
    409,
    'This form was open for more than 30 minutes, so nothing was changed. Check the form and send it again.',
  ]);
  expect((await page.submit('Rotate token', { Password: PASSWORD })).heading).toBe('New token for ERP');
});

test('the form that was sent after the session’s end comes back without the password, and nothing is made', async () => {
  await using scene = await serveErp();
  const visitor = await scene.signedIn();
  scene.world.clock.advance(11 * MINUTE);
  const page = await visitor.get(scene.path);
  scene.world.clock.advance(31 * MINUTE);
  const asked = await page.submit('Rotate token', { Password: PASSWORD, [GRACE]: '1h' });
  expect([asked.status, asked.heading]).toEqual([401, 'Sign in']);
  const draft = Buffer.from(asked.formWith('Sign in').values.get('draft') ?? '', 'base64url').toString();
  expect(draft).toContain('"grace":"1h"');
  expect(`${asked.html}${draft}`).not.toContain(PASSWORD);
  const back = await asked.submit('Sign in', { Email: scene.people.admin.email, Password: PASSWORD });
  expect([back.status, back.path]).toEqual([200, scene.path]);
  expect(back.formWith('Rotate token').values.get('grace')).toBe('1h');
  expect(await scene.successors()).toEqual([]);
  shownToken(await back.submit('Rotate token'));
});

test.each(NAUGHTY_TEXTS)('the name %j is text', async (text) => {
  await using scene = await serveErp(text);
  const visitor = await scene.signedIn();
  const page = await visitor.get(scene.path);
  const shown = replaceInvisible(text).replace(/\s+/g, ' ');
  for (const each of [page, await page.submit('Rotate token'), await visitor.get(scene.path)]) {
    expect([each.status, each.heading.endsWith(` ${shown}`)]).toEqual([200, true]);
    expect(each.html).not.toMatch(/<script>alert|<img|<svg\/|<b>|[\u202a-\u202e\u2066-\u2069]/);
  }
});
