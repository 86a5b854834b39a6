import { replaceInvisible } from '@gatehouse/domain';
import { apiToken, givenPerson, inPerson, PASSWORD, signInToken, unwrap } from '@gatehouse/domain/testing';
import { rotateToken } from '@gatehouse/domain/tokens';
import { describe, expect, test, vi } from 'vitest';
import { NAUGHTY_TEXTS } from '../../testing/naughty-texts.ts';
import { servePages } from '../../testing/serve-pages.ts';
import { serveToken } from '../../testing/serve-token.ts';

const MINUTE = 60_000;

/** Markup that naughty texts contain, and invisible characters. */
const MARKUP = /<script>alert|<img|<svg\/|<b>|[\u202a-\u202e\u2066-\u2069]/;

async function serveErp(name?: string) {
  const scene = await serveToken(name);
  return { ...scene, path: `${scene.path}/revoke` };
}

describe('the page says first what would break:', () => {
  test('when and from where the token was used', async () => {
    await using scene = await serveErp();
    await scene.used('10.0.0.7');
    scene.world.clock.advance(5 * MINUTE);
    for (const from of ['10.0.0.5', '10.0.0.9']) await scene.used(from);
    scene.world.clock.advance(3 * MINUTE);
    const page = await (await scene.signedIn()).get(scene.path);
    expect([page.status, page.heading]).toEqual([200, 'Revoke ERP']);
    expect(page.text.replaceAll(/ (?=[,.])/g, '')).toContain(
      'ERP was used 3 minutes ago from 10.0.0.5 and 10.0.0.9, 8 minutes ago from 10.0.0.7. Programs that use this token stop working at once.',
    );
  });

  test('nothing, where it was never used', async () => {
    await using scene = await serveErp();
    const page = await (await scene.signedIn()).get(scene.path);
    expect(page.text).toContain('ERP has never been used , so no program should stop working.');
  });

  test('when it was used, where its addresses are not kept', async () => {
    await using scene = await serveErp();
    await scene.used();
    const page = await (await scene.signedIn()).get(scene.path);
    expect(page.text).toMatch(/ERP was used just now \. Programs/);
  });

  test('and that the successor of a rotation keeps working', async () => {
    await using scene = await serveErp();
    const caller = inPerson(scene.people.admin);
    unwrap(await rotateToken(scene.world)(caller, { id: scene.token.id, graceMs: 0 }));
    const page = await (await scene.signedIn()).get(scene.path);
    expect(page.text).toContain('The token that replaces this one keeps working.');
  });
});

test('a token is revoked with a reason, without a password, however long ago it was given', async () => {
  await using scene = await serveErp();
  const visitor = await scene.signedIn();
  scene.world.clock.advance(29 * MINUTE);
  const verify = vi.spyOn(scene.world.passwords, 'verify');
  const page = await visitor.get(scene.path);
  const sent = page.fill('Revoke token', { Reason: ' laptop left on the train ' });
  const response = await visitor.ask(scene.path, {
    method: 'POST',
    body: `${sent}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: scene.url },
  });
  expect([response.status, response.headers.get('location')]).toEqual([
    303,
    `/settings/api/${scene.token.id}`,
  ]);
  expect(visitor.cookies.get('gatehouse-notice')).toBe('token_revoked');
  const by = { kind: 'user', id: scene.people.admin.id };
  expect((await scene.find()).revocation).toEqual({
    at: scene.world.clock.now(),
    by,
    reason: 'laptop left on the train',
  });
  expect(verify).not.toHaveBeenCalled();
});

test('a reason may be missing', async () => {
  await using scene = await serveErp();
  await (await (await scene.signedIn()).get(scene.path)).submit('Revoke token');
  expect((await scene.find()).revocation?.reason).toBeNull();
});

test('a reason that is too long is kept in its field, and nothing is revoked', async () => {
  await using scene = await serveErp();
  const visitor = await scene.signedIn();
  const long = 'x'.repeat(501);
  const page = await (await visitor.get(scene.path)).submit('Revoke token', { Reason: long });
  expect([page.status, page.messages.at(-1)]).toEqual([
    422,
    'Reason must be at most 500 characters long, without U+0000 and lone surrogates.',
  ]);
  expect(page.formWith('Revoke token').values.get('reason')).toBe(long);
  expect((await scene.find()).revocation).toBeNull();
});

describe('of two admins who revoke the same token', () => {
  test('the second is told of the first, by the page and by its form', async () => {
    await using scene = await serveErp();
    await givenPerson(scene.world, { accountId: scene.people.account.id, email: 'eve@acme.example' });
    const [ada, eve] = [
      await scene.signedIn(),
      await scene.signedIn({ email: 'eve@acme.example', password: PASSWORD }),
    ];
    const [first, second] = [await ada.get(scene.path), await eve.get(scene.path)];
    await first.submit('Revoke token', { Reason: 'a <leak>' });
    scene.world.clock.advance(2 * MINUTE);
    for (const page of [await second.submit('Revoke token', { Reason: 'mine' }), await eve.get(scene.path)]) {
      expect(page.status).toBe(200);
      expect(page.text).toMatch(
        /ERP was revoked by ada@acme\.example 2 minutes ago \. Reason: a <leak> This token has already ended\./,
      );
      expect(page.html).not.toContain('Revoke token');
    }
    expect((await ada.get(scene.path)).text).toContain('ERP was revoked by you 2 minutes ago');
    expect((await scene.find()).revocation?.reason).toBe('a <leak>');
  });

  test('an operator was one, without a name', async () => {
    await using scene = await serveErp();
    const { world, token } = scene;
    const by = { kind: 'operator', name: 'root@db1' } as const;
    const event = (await world.audit.list({ limit: 1 }))[0]?.event ?? expect.fail();
    await world.tokens.revoke(token.id, { at: world.clock.now(), by, reason: null }, event);
    const page = await (await scene.signedIn()).get(scene.path);
    expect(page.text).toContain('ERP was revoked by an operator just now');
    expect(page.html).not.toContain('root@db1');
  });
});

test('a token that has expired has nothing to revoke', async () => {
  await using scene = await serveErp();
  scene.world.clock.advance(2 * 86_400_000);
  const page = await (await scene.signedIn()).get(scene.path);
  expect(page.text).toMatch(/ERP expired 1 day ago \. This token has already ended\./);
});

test('sign-in tokens of the account are revoked the same way', async () => {
  await using scene = await servePages();
  const { world, people } = scene;
  await signInToken(world, people.member);
  const [token] = await world.tokens.list({ kind: 'sign-in', now: world.clock.now(), limit: 1 });
  const page = await (await scene.signedIn()).get(`/settings/api/${token?.id}/revoke`);
  expect(page.heading).toBe('Revoke Sign-in');
  await page.submit('Revoke token');
  const [after] = await world.tokens.list({ kind: 'sign-in', now: world.clock.now(), limit: 1 });
  expect(after?.revocation?.at).toBe(world.clock.now());
});

test('another account’s token, and one that is not there, are 404; a member may not', async () => {
  await using scene = await serveErp();
  const other = await givenPerson(scene.world, {
    accountId: scene.people.foreign.accountId,
    email: 'eve@globex.example',
  });
  const { record: foreign } = await apiToken(scene.world, other);
  const ada = await scene.signedIn();
  const sent = (await ada.get(scene.path)).fill('Revoke token');
  for (const id of [
    foreign.id,
    foreign.id.replace(/.$/, 'x'),
    '0'.repeat(36),
    scene.token.id.replaceAll('-', ''),
  ]) {
    const path = `/settings/api/${id}/revoke`;
    expect((await ada.get(path)).status).toBe(404);
    expect((await ada.post(path, sent)).status).toBe(404);
  }
  expect((await scene.world.tokens.find(foreign.id))?.revocation).toBeNull();

  const ben = await scene.signedIn({ email: scene.people.member.email, password: PASSWORD });
  expect((await ben.get(scene.path)).status).toBe(403);
  expect((await scene.find()).revocation).toBeNull();
});

test('who became a member meanwhile revokes nothing', async () => {
  await using scene = await serveErp();
  const { world, people } = scene;
  await givenPerson(world, { accountId: people.account.id, email: 'eve@acme.example' });
  const page = await (await scene.signedIn()).get(scene.path);
  const event = (await world.audit.list({ limit: 1 }))[0]?.event ?? expect.fail();
  unwrap(await world.users.setRole(people.admin.id, 'member', () => event));
  expect((await page.submit('Revoke token')).status).toBe(403);
  expect((await scene.find()).revocation).toBeNull();
});

test('the form that was sent after the session’s end comes back with its reason, and nothing is revoked', async () => {
  await using scene = await serveErp();
  const visitor = await scene.signedIn();
  const page = await visitor.get(scene.path);
  scene.world.clock.advance(31 * MINUTE);
  const asked = await page.submit('Revoke token', { Reason: 'a "leak"' });
  expect([asked.status, asked.heading]).toEqual([401, 'Sign in']);
  const back = await asked.submit('Sign in', { Email: scene.people.admin.email, Password: PASSWORD });
  expect([back.status, back.path]).toEqual([200, scene.path]);
  expect(back.formWith('Revoke token').values.get('reason')).toBe('a "leak"');
  expect((await scene.find()).revocation).toBeNull();
  await back.submit('Revoke token');
  expect((await scene.find()).revocation?.reason).toBe('a "leak"');
});

test('a thousand posts of one form revoke it once, and all others are told so', async () => {
  await using scene = await serveErp();
  const visitor = await scene.signedIn();
  const body = `${(await visitor.get(scene.path)).fill('Revoke token', { Reason: 'leak' })}`;
  const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: scene.url };
  const before = (await scene.world.audit.list({ limit: 1000 })).length;
  const responses = await Promise.all(
    Array.from({ length: 1000 }, () => visitor.ask(scene.path, { method: 'POST', body, headers })),
  );
  expect(responses.filter(({ status }) => status === 303).length).toBe(1);
  expect(responses.filter(({ text }) => text.includes('was revoked by you')).length).toBe(999);
  expect((await scene.world.audit.list({ limit: 1000 })).length).toBe(before + 1);
});

test.each(NAUGHTY_TEXTS)('the name and the reason %j are text', async (text) => {
  await using scene = await serveErp(text);
  const visitor = await scene.signedIn();
  const page = await visitor.get(scene.path);
  await page.submit('Revoke token', { Reason: text });
  const shown = replaceInvisible(text).replace(/\s+/g, ' ');
  for (const each of [page, await visitor.get(scene.path)]) {
    expect([each.status, each.heading, each.title]).toEqual([
      200,
      `Revoke ${shown}`,
      `Revoke ${shown} — Gatehouse`,
    ]);
    expect(each.html).not.toMatch(MARKUP);
  }
  expect((await visitor.get(scene.path)).text).toContain(`Reason: ${shown}`);
  expect((await scene.find()).revocation?.reason).toBe(text);
});
