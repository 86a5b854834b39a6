import { GOOD, PASSWORD } from '@gatehouse/domain/testing';
import { describe, expect, test } from 'vitest';
import { servePages } from '../testing/serve-pages.ts';

const WRONG = ['The email or the password is wrong.'];

describe('signing in', () => {
  test('leads to the page that was asked for, with its query', async () => {
    await using scene = await servePages();
    const visitor = scene.visitor();
    const page = await visitor.get('/settings/password?a=b%20c');
    expect([page.heading, page.title]).toEqual(['Sign in', 'Sign in — Gatehouse']);
    const after = await page.submit('Sign in', { Email: GOOD.email, Password: GOOD.password });
    expect([after.status, after.path, after.heading]).toEqual([
      200,
      '/settings/password?a=b%20c',
      'Password',
    ]);
    expect(after.text).toContain('Acme');
    expect(after.text).toContain(GOOD.email);
  });

  test('leads an admin to the API tokens, and a member to the organizations', async () => {
    await using scene = await servePages();
    const member = { email: scene.people.member.email, password: PASSWORD };
    const first = [
      [GOOD, '/settings/api'],
      [member, '/settings/organizations'],
    ] as const;
    for (const [person, path] of first) {
      const visitor = scene.visitor();
      expect((await visitor.signIn(person)).path).toBe(path);
      const page = await visitor.get('/sign-in');
      expect(page.path).toBe(path);
      expect(page.links.find(({ text }) => text === 'Gatehouse')?.href).toBe(path);
    }
  });

  test('gives a cookie with a secret that nothing else has, and takes the other cookie away', async () => {
    await using scene = await servePages();
    const visitor = scene.visitor();
    const page = await visitor.get('/sign-in');
    const sent = page.fill('Sign in', { Email: GOOD.email, Password: GOOD.password });
    const before = visitor.cookies.get('gatehouse-visit');
    const response = await visitor.ask('/sign-in', {
      method: 'POST',
      body: `${sent}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: scene.url },
    });
    expect([response.status, response.headers.get('location'), response.text]).toEqual([
      303,
      '/settings/api',
      '',
    ]);
    expect(response.headers.getSetCookie()[0]).toMatch(
      /^gatehouse=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    expect(visitor.cookies.get('gatehouse')).not.toBe(before);
    expect([...visitor.cookies.keys()]).toEqual(['gatehouse']);
    expect(scene.lines.join('')).not.toContain(visitor.cookies.get('gatehouse'));
  });

  test('makes a new secret each time', async () => {
    await using scene = await servePages();
    const secrets = new Set<string | undefined>();
    for (let turn = 0; turn < 3; turn += 1) secrets.add((await scene.signedIn()).cookies.get('gatehouse'));
    expect(secrets.size).toBe(3);
  });

  test('ends the session whose cookie it replaces, and a refused one ends none', async () => {
    await using scene = await servePages();
    const [visitor, other] = [scene.visitor(), scene.visitor()];
    const form = await visitor.get('/sign-in');
    await other.signIn(GOOD);
    const before = other.cookies.get('gatehouse') ?? '';
    visitor.cookies.set('gatehouse', before);
    const again = await form.submit('Sign in', { Email: GOOD.email, Password: 'x' });
    expect((await other.get('/settings/password')).heading).toBe('Password');
    await again.submit('Sign in', { Email: GOOD.email, Password: GOOD.password });
    expect(visitor.cookies.get('gatehouse')).not.toBe(before);
    expect((await other.get('/settings/password')).heading).toBe('Sign in');
    expect((await visitor.get('/settings/password')).heading).toBe('Password');
  });

  test('with a wrong password, and as a user who is not there, is refused in the same words', async () => {
    await using scene = await servePages();
    const visitor = scene.visitor();
    const page = await visitor.get('/sign-in?next=%2Fsettings%2Fpassword');
    const wrong = await page.submit('Sign in', { Email: GOOD.email, Password: 'x' });
    const unknown = await page.submit('Sign in', { Email: 'eve@acme.example', Password: 'x' });
    expect([wrong.status, wrong.messages]).toEqual([401, WRONG]);
    expect(unknown.html.replace('eve@', 'ada@')).toBe(wrong.html);
    expect(wrong.html).toContain(`value="${GOOD.email}"`);
    const after = await wrong.submit('Sign in', { Email: GOOD.email, Password: PASSWORD });
    expect(after.path).toBe('/settings/password');
  });

  test.each(['//evil.example', '/\\evil.example', 'https://evil.example', '/a/../b'])(
    'leads nowhere but to pages of this server: %s',
    async (next) => {
      await using scene = await servePages();
      const visitor = scene.visitor();
      const page = await visitor.get(`/sign-in?${new URLSearchParams({ next })}`);
      const sent = page.fill('Sign in', { Email: GOOD.email, Password: GOOD.password });
      expect(sent.has('next')).toBe(false);
      sent.set('next', next);
      const { headers } = await visitor.ask('/sign-in', {
        method: 'POST',
        body: `${sent}`,
        headers: { 'content-type': 'application/x-www-form-urlencoded', origin: scene.url },
      });
      expect(headers.get('location')).toBe('/settings/api');
      const signedIn = await visitor.ask(`/sign-in?${new URLSearchParams({ next })}`);
      expect([signedIn.status, signedIn.headers.get('location')]).toEqual([303, '/settings/api']);
    },
  );

  test('too often is refused, with how long to wait', async () => {
    const refuse = { code: 'too_many_attempts', limit: 'address', retryAfterSeconds: 90 } as const;
    await using scene = await servePages({
      useCases: { openSession: async () => ({ ok: false, error: refuse }) },
    });
    const page = await scene.visitor().signIn(GOOD);
    expect([page.status, page.headers.get('retry-after'), page.messages]).toEqual([
      429,
      '90',
      ['Too many attempts to enter a password. Try again in 2 minutes.'],
    ]);
  });

  test('while hashing is busy is refused for a moment', async () => {
    await using scene = await servePages({
      useCases: { openSession: async () => ({ ok: false, error: { code: 'hashing_busy' } }) },
    });
    const page = await scene.visitor().signIn(GOOD);
    expect([page.status, page.headers.get('retry-after')]).toEqual([503, '1']);
  });
});

describe('signing out', () => {
  test('ends the session, and forgets the cookie', async () => {
    await using scene = await servePages();
    const visitor = await scene.signedIn();
    const secret = visitor.cookies.get('gatehouse') ?? '';
    const page = await (await visitor.get('/settings/password')).submit('Sign out');
    expect([page.path, page.messages]).toEqual(['/sign-in', ['You are signed out.']]);
    expect([...visitor.cookies.keys()]).toEqual(['gatehouse-visit']);
    visitor.cookies.set('gatehouse', secret);
    expect((await visitor.get('/settings/password')).heading).toBe('Sign in');
    expect((await visitor.get('/sign-in')).messages).toEqual([]);
  });

  test('works where the session has ended already', async () => {
    await using scene = await servePages();
    const visitor = await scene.signedIn();
    const page = await visitor.get('/settings/password');
    scene.world.clock.advance(13 * 3_600_000);
    expect((await page.submit('Sign out')).messages).toEqual(['You are signed out.']);
  });

  test('by its address asks first', async () => {
    await using scene = await servePages();
    const visitor = await scene.signedIn();
    const page = await visitor.get('/sign-out');
    expect([page.status, page.heading]).toEqual([200, 'Sign out of Gatehouse?']);
    expect((await visitor.get('/settings/password')).status).toBe(200);
  });
});
