import type { SessionSecret } from '@gatehouse/domain/sessions';
import {
  anEvent,
  createSequentialTokenIds,
  GOOD,
  givenPerson,
  inPerson,
  PASSWORD,
  unwrap,
} from '@gatehouse/domain/testing';
import { authenticateToken, issueToken, listTokens } from '@gatehouse/domain/tokens';
import { describe, expect, test, vi } from 'vitest';
import { servePages } from '../../testing/serve-pages.ts';
import type { Page } from '../../testing/visitor.ts';
import { formToken } from '../forms/form-token.ts';

const PATH = '/settings/api/new';
const MINUTE = 60_000;
const TYPED = { Name: 'ERP', 'Read the owner of the token me:read': true };

const secretIn = ({ html }: Page) => /data-token>([^<]+)</.exec(html)?.[1];

type Scene = Awaited<ReturnType<typeof servePages>>;

const tokensOf = async ({ world, people }: Scene) => {
  const listed = unwrap(await listTokens(world)(inPerson(people.admin), {}));
  const found = [];
  for await (const page of listed) found.push(...page);
  return found.filter(({ kind }) => kind === 'api');
};

describe('a token is made', () => {
  test('and shown once, with a command to try it', async () => {
    await using scene = await servePages();
    const page = await (await (await scene.signedIn()).get(PATH)).submit('Create token', TYPED);
    expect([page.status, page.heading, page.headers.get('cache-control')]).toEqual([
      200,
      'Token created',
      'no-store',
    ]);
    const secret = secretIn(page) ?? expect.fail('no token');
    expect(page.text).toContain(`curl -H 'Authorization: Bearer ${secret}' ${scene.url}/api/v1/me.json`);
    const caller = await authenticateToken(scene.world)(secret ?? '', '127.0.0.1');
    expect(caller).toMatchObject({ kind: 'user', scopes: ['me:read'] });
    const [token, ...others] = await tokensOf(scene);
    expect(others).toEqual([]);
    expect(token).toMatchObject({ name: 'ERP', scopes: ['me:read'], format: 'paseto' });
    expect(token?.expiresAt).toBe(scene.world.clock.now() + 90 * 86_400_000);
    expect(page.html).toContain(`data-first-use="/settings/api/${token?.id}/first-use"`);
    expect((await scene.world.audit.list({ limit: 1 }))[0]?.event).toMatchObject({
      action: 'token.created',
      origin: '127.0.0.1',
    });
  });

  test('as the form says', async () => {
    await using scene = await servePages();
    const visitor = await scene.signedIn();
    const made = async (name: string, typed: Record<string, string | boolean>) => {
      const page = await (await visitor.get(PATH)).submit('Create token', { Name: name, ...typed });
      expect([page.status, page.messages]).toEqual([200, expect.any(Array)]);
      return (await tokensOf(scene)).find((token) => token.name === name);
    };
    const all = { 'Everything *': true };
    expect(await made('never', { ...all, Expires: 'never' })).toMatchObject({
      expiresAt: null,
      scopes: ['*'],
    });
    const day = await made('day', { ...all, Expires: 'date', 'Last day': '2999-12-31' });
    expect(day?.expiresAt).toBe(Date.parse('3000-01-01T00:00:00Z'));
    expect(await made('jwt', { ...all, Format: 'jwt' })).toMatchObject({ format: 'jwt' });
  });
});

describe('a form makes one token, however often it is sent:', () => {
  test('again, also with another name, it leads to that token', async () => {
    await using scene = await servePages();
    const visitor = await scene.signedIn();
    const form = await visitor.get(PATH);
    const made = await form.submit('Create token', TYPED);
    const [token] = await tokensOf(scene);
    for (const Name of ['ERP', 'Wiki']) {
      const again = await form.submit('Create token', { ...TYPED, Name });
      expect(again.path).toBe(`/settings/api/${token?.id}`);
      expect(again.html).not.toContain(secretIn(made));
    }
    expect(await tokensOf(scene)).toHaveLength(1);
  });

  test('twenty times at once, one answer has the token', async () => {
    await using scene = await servePages();
    const form = await (await scene.signedIn()).get(PATH);
    const pages = await Promise.all(Array.from({ length: 20 }, () => form.submit('Create token', TYPED)));
    expect(pages.filter((page) => secretIn(page) !== undefined)).toHaveLength(1);
    expect(await tokensOf(scene)).toHaveLength(1);
  });

  test('once it was mended, it is still the same form', async () => {
    await using scene = await servePages();
    const form = await (await scene.signedIn()).get(PATH);
    const wrong = await form.submit('Create token', { Name: '', 'Everything *': true });
    const target = (page: Page) => page.formWith('Create token').values.get('form_target');
    expect(target(wrong)).toBe(target(form));
    await wrong.submit('Create token', TYPED);
    await form.submit('Create token', TYPED);
    expect(await tokensOf(scene)).toHaveLength(1);
  });

  test('a user cannot aim at the id of another token', async () => {
    await using scene = await servePages();
    const { world, people } = scene;
    const issue = { format: 'paseto', scopes: ['*'], expiry: 'never' } as const;
    const id = createSequentialTokenIds(world.clock).next();
    const { record } = unwrap(
      await issueToken(world)(inPerson(people.admin), { id, name: 'Other', ...issue }),
    );
    const ids = { next: () => record.id };
    await using forged = await servePages({ ids });
    const page = await (await forged.signedIn()).get(PATH);
    expect(page.formWith('Create token').values.get('form_target')).toBe(record.id);
    await page.submit('Create token', TYPED);
    const [made = expect.fail('no token')] = await tokensOf(forged);
    expect(made.id).not.toBe(record.id);
  });
});

describe('the time in the id of a token, by which lists are sorted', () => {
  const timeOf = (id = '') => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
  const idAt = (time: number) => {
    const hex = time.toString(16).padStart(12, '0');
    return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000001`;
  };

  test('is that of its form, which the server made', async () => {
    await using scene = await servePages();
    const form = await (await scene.signedIn()).get(PATH);
    const openedAt = scene.world.clock.now();
    scene.world.clock.advance(9 * MINUTE);
    await form.submit('Create token', TYPED);
    const [token] = await tokensOf(scene);
    expect(timeOf(token?.id)).toBe(openedAt);
  });

  test.each([
    ['in the past', -1],
    ['in the future', 1],
  ])('is not one that a user chooses %s, with all that the browser has', async (_, sign) => {
    await using scene = await servePages();
    const { world, people } = scene;
    const visitor = await scene.signedIn();
    const form = await visitor.get(PATH);
    const secret = visitor.cookies.get('gatehouse') ?? '';
    const record = await world.sessions.find(world.sessionSecrets.hashOf(secret as SessionSecret));
    const keys = [secret, world.sessionSecrets.hashOf(secret as SessionSecret), record?.id ?? '', ''];
    for (const key of keys) {
      for (const distance of [1, MINUTE, 365 * 86_400_000]) {
        const target = idAt(world.clock.now() + sign * distance);
        const values = form.fill('Create token', TYPED);
        values.set('form_target', target);
        values.set('form_token', formToken(key, { path: PATH, target, user: people.admin.id }));
        expect((await visitor.post(PATH, values)).status).toBe(403);
      }
    }
    expect(await tokensOf(scene)).toEqual([]);
  });

  test('is at most 30 minutes old: a form that was kept is shown again, filled in, as a new one', async () => {
    await using scene = await servePages();
    const { clock } = scene.world;
    const visitor = await scene.signedIn();
    const form = await visitor.get(PATH);
    for (let turn = 0; turn < 2; turn += 1) {
      clock.advance(15 * MINUTE + 1);
      await visitor.get('/settings/sessions');
    }
    const page = await form.submit('Create token', { ...TYPED, Name: 'Kept' });
    expect([page.status, page.messages]).toEqual([
      409,
      [
        'This form was open for more than 30 minutes, so nothing was changed. Check the form and send it again.',
      ],
    ]);
    expect(await tokensOf(scene)).toEqual([]);
    const made = await page.submit('Create token', { Password: PASSWORD });
    expect([made.heading, (await tokensOf(scene)).map(({ name }) => name)]).toEqual([
      'Token created',
      ['Kept'],
    ]);
    expect(timeOf((await tokensOf(scene))[0]?.id)).toBe(clock.now());
  });

  test('is not that of another user’s form', async () => {
    await using scene = await servePages();
    const { world, people } = scene;
    await givenPerson(world, { accountId: people.account.id, email: 'cy@acme.example' });
    const other = await (await scene.signedIn({ email: 'cy@acme.example', password: PASSWORD })).get(PATH);
    const visitor = await scene.signedIn();
    const page = await visitor.post(PATH, other.fill('Create token', TYPED));
    expect([page.status, page.messages]).toEqual([
      403,
      ['This form was opened by another user, so nothing was changed.'],
    ]);
    expect(await tokensOf(scene)).toEqual([]);
  });
});

describe('the password', () => {
  test('is asked for again when it was given more than ten minutes ago, and once for ten minutes', async () => {
    await using scene = await servePages();
    const visitor = await scene.signedIn();
    scene.world.clock.advance(10 * MINUTE);
    expect((await visitor.get(PATH)).text).not.toContain('Password Enter the password of');
    scene.world.clock.advance(1);
    const page = await visitor.get(PATH);
    expect(page.text).toContain('Password Enter the password of');
    expect((await page.submit('Create token', { ...TYPED, Password: PASSWORD })).heading).toBe(
      'Token created',
    );
    expect((await visitor.get(PATH)).text).not.toContain('Password Enter the password of');
  });

  test.each([
    ['a wrong one', 'not it', 'The password is wrong.'],
    ['none', '', 'Password is required, because you last entered it more than 10 minutes ago.'],
  ])('%s is told of at its field, keeps what was typed, and makes nothing', async (_, password, message) => {
    await using scene = await servePages();
    const visitor = await scene.signedIn();
    const old = await visitor.get(PATH);
    scene.world.clock.advance(11 * MINUTE);
    const page = password === '' ? old : await visitor.get(PATH);
    const typed = { ...TYPED, Expires: '30d', ...(password && { Password: password }) };
    const again = await page.submit('Create token', typed);
    expect([again.status, again.messages.at(-1)]).toEqual([422, message]);
    expect(again.html).not.toContain('not it');
    const { values } = again.formWith('Create token');
    expect(['name', 'scopes', 'expires'].map((name) => values.get(name))).toEqual(['ERP', 'me:read', '30d']);
    expect(await tokensOf(scene)).toEqual([]);
    const made = await again.submit('Create token', { Password: PASSWORD });
    expect(made.heading).toBe('Token created');
  });

  test('is asked for within the limits of signing in', async () => {
    const confirmPassword = vi.fn().mockResolvedValue({
      ok: false,
      error: { code: 'too_many_attempts', retryAfterSeconds: 30 },
    });
    await using scene = await servePages({ useCases: { confirmPassword } });
    const visitor = await scene.signedIn();
    scene.world.clock.advance(11 * MINUTE);
    const page = await (await visitor.get(PATH)).submit('Create token', { ...TYPED, Password: 'x' });
    expect([page.status, page.headers.get('retry-after')]).toEqual([429, '30']);
    expect(page.messages).toEqual(['Too many attempts to enter a password. Try again in 30 seconds.']);
    expect(page.formWith('Create token').values.get('name')).toBe('ERP');
  });
});

describe('the form', () => {
  test.each([
    [{ Name: '' }, 'Name is required.'],
    [{ Name: 'x'.repeat(201) }, 'Name must be 1 to 200 characters long.'],
    [{ 'Read the owner of the token me:read': false }, 'Choose at least one scope.'],
    [{ Expires: 'date' }, 'Choose the last day on which the token should work.'],
    [{ Expires: 'date', 'Last day': '2001-02-30' }, 'Choose the last day on which the token should work.'],
    [{ Expires: 'date', 'Last day': '2001-01-01' }, 'Last day must be in the future.'],
    [{ Expires: 'soon' }, 'Choose when the token expires.'],
    [{ Expires: '3000000d' }, 'Expiration must end before the year 10000.'],
    [{ Format: 'x' }, 'Choose a format.'],
  ])('tells of %j at its field', async (typed, message) => {
    await using scene = await servePages();
    const page = await (await scene.signedIn()).get(PATH);
    const again = await page.submit('Create token', { ...TYPED, ...typed });
    expect([again.status, again.messages]).toEqual([422, [`Check one field. ${message}`, message]]);
    expect(again.html.match(/ autofocus/g)?.length).toBe(1);
    expect(await tokensOf(scene)).toEqual([]);
  });

  test('tells of a name that another of one’s tokens has', async () => {
    await using scene = await servePages();
    const visitor = await scene.signedIn();
    await (await visitor.get(PATH)).submit('Create token', TYPED);
    const page = await (await visitor.get(PATH)).submit('Create token', TYPED);
    expect([page.status, page.messages.at(-1)]).toEqual([
      422,
      'Name is already used by another token of the same owner.',
    ]);
  });

  test('is filled in as its address says', async () => {
    await using scene = await servePages();
    const visitor = await scene.signedIn();
    const page = await visitor.get(
      `${PATH}?name=ERP+%26+Co&scope=orgs:read&scope=me:read&expires_in=45d&format=jwt`,
    );
    const { values } = page.formWith('Create token');
    expect([
      values.get('name'),
      values.getAll('scopes'),
      values.get('expires'),
      values.get('format'),
    ]).toEqual(['ERP & Co', ['me:read', 'orgs:read'], '45d', 'jwt']);
    await page.submit('Create token');
    const [token] = await tokensOf(scene);
    expect(token).toMatchObject({ name: 'ERP & Co', scopes: ['me:read', 'orgs:read'], format: 'jwt' });
    expect(token?.expiresAt).toBe(scene.world.clock.now() + 45 * 86_400_000);
  });

  test.each([
    ['1y', 'In 365 days: 31 December 2026'],
    ['1w', 'In 7 days: 7 January 2026'],
    ['36h', 'In 36 hours: 2 January 2026'],
  ])('offers the lifetime %s of its address in words', async (duration, words) => {
    await using scene = await servePages();
    const page = await (await scene.signedIn()).get(`${PATH}?expires_in=${duration}`);
    expect(page.html).toContain(`<option value="${duration}" selected>${words}</option>`);
  });

  test('ignores what its address cannot ask for, and says so', async () => {
    await using scene = await servePages();
    const visitor = await scene.signedIn();
    const query = 'name=a%00b&scope=all&scope=me:read&expires_in=9999999w&format=%3Cb%3E&constructor=x&utm=y';
    const page = await visitor.get(`${PATH}?${query}`);
    const { values } = page.formWith('Create token');
    expect([
      values.get('name'),
      values.getAll('scopes'),
      values.get('expires'),
      values.get('format'),
    ]).toEqual(['', ['me:read'], '90d', 'paseto']);
    for (const text of ['name', 'scope “ all', 'expires_in', 'format “ <b>'])
      expect(page.text).toContain(text);
    expect(page.text).not.toContain('utm');
  });

  test('comes back with what was typed after a session that ended, without the password', async () => {
    await using scene = await servePages();
    const visitor = await scene.signedIn();
    scene.world.clock.advance(11 * MINUTE);
    const page = await visitor.get(PATH);
    scene.world.clock.advance(31 * MINUTE);
    const asked = await page.submit('Create token', { ...TYPED, Expires: 'never', Password: PASSWORD });
    expect([asked.status, asked.heading]).toEqual([401, 'Sign in']);
    expect(asked.html).not.toContain(PASSWORD);
    const back = await asked.submit('Sign in', { Email: GOOD.email, Password: GOOD.password });
    const { values } = back.formWith('Create token');
    expect([back.path, values.get('name'), values.get('scopes'), values.get('expires')]).toEqual([
      PATH,
      'ERP',
      'me:read',
      'never',
    ]);
  });

  test('is not for members', async () => {
    await using scene = await servePages();
    const { email } = scene.people.member;
    const member = await scene.signedIn({ email, password: PASSWORD });
    expect((await member.get(PATH)).status).toBe(403);
    const page = await (await scene.signedIn()).get(PATH);
    await givenPerson(scene.world, { accountId: scene.people.account.id, email: 'cy@acme.example' });
    unwrap(await scene.world.users.setRole(scene.people.admin.id, 'member', () => anEvent()));
    expect((await page.submit('Create token', TYPED)).status).toBe(403);
    expect(await scene.world.audit.list({ actions: ['token.created'], limit: 9 })).toEqual([]);
  });
});
