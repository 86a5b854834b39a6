import { GOOD, OPERATOR, unwrap } from '@gatehouse/domain/testing';
import { disableUser } from '@gatehouse/domain/users';
import { describe, expect, test } from 'vitest';
import { serveProvider } from '../../testing/serve-provider.ts';

type Scene = Awaited<ReturnType<typeof serveProvider>>;

const METHODS = '/settings/sign-in';

/** Links Ada's identity on her profile, after her password. */
async function linked(scene: Scene) {
  const visitor = await scene.signedIn();
  const page = await visitor.get(METHODS);
  const leaving = await page.submit('Link identity');
  const back = await scene.comeBack(visitor, scene.leadsTo(leaving));
  expect([back.path, back.messages]).toEqual([
    METHODS,
    ['The identity was linked. You can sign in with this identity provider.'],
  ]);
  return visitor;
}

test('a user links an identity on the profile, and signs in with it in another browser', async () => {
  await using scene = await serveProvider();
  await linked(scene);
  const other = scene.visitor();
  const signIn = await other.get('/sign-in?next=%2Fsettings%2Fprofile');
  expect(signIn.links.map(({ text }) => text)).toContain('Sign in with Entra ID');
  const page = await scene.signInWith(other, {}, '/settings/profile');
  expect([page.path, page.heading]).toEqual(['/settings/profile', 'Profile']);
  expect((await other.get(METHODS)).text).toContain('Entra ID');
  expect(scene.noted.map(([, error]) => error)).toEqual([undefined, undefined]);
});

test('the cookie of the attempt is for this browser only, and the way back works once', async () => {
  await using scene = await serveProvider();
  await linked(scene);
  const [victim, attacker] = [scene.visitor(), scene.visitor()];
  const location = await scene.begin(attacker);
  const stolen = await scene.comeBack(victim, location);
  expect([stolen.status, stolen.heading]).toEqual([400, 'You are not signed in']);
  expect(victim.cookies.has('gatehouse')).toBe(false);
  const again = await scene.comeBack(attacker, location);
  expect([again.status, again.text.includes('attempt_unknown')]).toEqual([400, true]);
});

test('a browser that had another session signs that one out', async () => {
  await using scene = await serveProvider();
  const visitor = await linked(scene);
  const before = visitor.cookies.get('gatehouse');
  await scene.signInWith(visitor);
  expect(visitor.cookies.get('gatehouse')).not.toBe(before);
  const old = scene.visitor();
  old.cookies.set('gatehouse', before ?? '');
  expect((await old.get(METHODS)).heading).toBe('Sign in');
});

test('a draft of a form whose session had ended is there after a sign-in with the provider', async () => {
  await using scene = await serveProvider();
  const visitor = await linked(scene);
  const form = await visitor.get('/settings/profile');
  visitor.cookies.delete('gatehouse');
  const ended = await form.submit('Change name', { Name: 'Ada L.' });
  expect(ended.heading).toBe('Sign in');
  const back = await scene.signInWith(visitor, {}, '/settings/profile');
  expect([back.path, back.fill('Change name').get('name')]).toEqual(['/settings/profile', 'Ada L.']);
});

describe('a user whom the provider signed in', () => {
  const TYPED = { Name: 'ERP', 'Read the owner of the token me:read': true };

  test('makes a token after the provider confirmed the user again, with what was typed', async () => {
    await using scene = await serveProvider();
    await linked(scene);
    const visitor = scene.visitor();
    await scene.signInWith(visitor);
    scene.world.clock.advance(11 * 60_000);
    const form = await visitor.get('/settings/api/new');
    expect(form.text).toContain('Your identity provider asks you next to confirm that it is you.');
    const leaving = await form.submit('Create token', TYPED);
    expect(leaving.heading).toBe('Continue to Entra ID');
    expect(scene.world.identityProviders.begun.at(-1)?.mustAuthenticate).toBe(true);
    const back = await scene.comeBack(visitor, scene.leadsTo(leaving));
    expect([back.path, back.fill('Create token').get('name')]).toEqual(['/settings/api/new', 'ERP']);
    expect((await back.submit('Create token')).heading).toBe('Token created');
  });

  test('gets none if another person confirms', async () => {
    await using scene = await serveProvider();
    await linked(scene);
    const visitor = scene.visitor();
    await scene.signInWith(visitor);
    scene.world.clock.advance(11 * 60_000);
    const leaving = await (await visitor.get('/settings/api/new')).submit('Create token', TYPED);
    const back = await scene.comeBack(visitor, scene.leadsTo(leaving), { subject: 'eve' });
    expect([back.status, back.heading]).toEqual([403, 'You were not confirmed']);
    const again = await (await visitor.get('/settings/api/new')).submit('Create token', TYPED);
    expect(again.heading).toBe('Continue to Entra ID');
  });
});

test('an invited person joins with the provider, without a password', async () => {
  await using scene = await serveProvider();
  const admin = await scene.signedIn();
  const made = await (await admin.get('/settings/users/invitations/new')).submit('Create invitation', {
    Email: 'cy@acme.example',
  });
  const code = /ghi_[\w-]{43}/.exec(made.html)?.[0] ?? expect.fail('no code');
  const visitor = scene.visitor();
  const shown = await (await visitor.get('/invitation')).submit('Continue', { Code: code });
  const leaving = await shown.submit('Join with Entra ID');
  const back = await scene.comeBack(visitor, scene.leadsTo(leaving), {
    subject: 'cy',
    email: 'cy@acme.example',
  });
  expect(back.path).toBe('/settings/organizations');
  const methods = await visitor.get(METHODS);
  expect(methods.text).toContain('You sign in with an identity provider only.');
  expect((await visitor.get('/settings/password')).text).toContain('You have no password');
  const kept = await methods.submit('Unlink');
  expect([kept.status, kept.messages[0]]).toEqual([409, expect.stringContaining('You have no password')]);
});

test('the last identity of a user with a password can be unlinked, and its sessions end', async () => {
  await using scene = await serveProvider();
  await linked(scene);
  const visitor = scene.visitor();
  await scene.signInWith(visitor);
  const page = await (await visitor.get(METHODS)).submit('Unlink');
  expect([page.status, page.heading]).toEqual([401, 'Sign in']);
  expect((await visitor.signIn(GOOD)).path).toBe('/settings/api');
});

test('a refusal says what to do, and its reason is for the log', async () => {
  await using scene = await serveProvider();
  await linked(scene);
  unwrap(
    await disableUser(scene.world)(OPERATOR, {
      email: scene.people.member.email,
      reason: null,
      transferTo: null,
    }),
  );
  const page = await scene.signInWith(scene.visitor(), { subject: 'ben', email: 'ben@acme.example' });
  expect([page.status, page.heading]).toEqual([403, 'You are not signed in']);
  expect(page.links.map(({ text }) => text)).toContain('Back to sign in');
  const [, error] = scene.noted.at(-1) ?? [];
  expect(error).toMatchObject({ code: 'provider_sign_in_refused' });
});

test('an unknown provider and one that is away are said, and other sites may link to a sign-in', async () => {
  await using scene = await serveProvider();
  const visitor = scene.visitor();
  expect((await visitor.get('/sign-in/with/nothing')).status).toBe(404);
  scene.world.identityProviders.failing = 'provider_unreachable';
  const away = await visitor.get('/sign-in/with/entra');
  expect([away.status, away.messages[0]]).toEqual([502, expect.stringContaining('cannot be reached')]);
  scene.world.identityProviders.failing = undefined;
  const linkedTo = await visitor.ask('/sign-in/with/entra', { headers: { 'sec-fetch-site': 'cross-site' } });
  expect(linkedTo.headers.get('location')).toMatch(/^https:\/\/entra\.example\//);
});

test.each(['image', 'iframe', 'empty', 'script'])(
  'another site begins no sign-in by loading one as %s, which would count for all at the address',
  async (destination) => {
    await using scene = await serveProvider();
    const { begun } = scene.world.identityProviders;
    const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': destination };
    const loaded = await scene.visitor().ask('/sign-in/with/entra', { headers });
    expect([loaded.status, loaded.headers.get('set-cookie'), begun]).toEqual([400, null, []]);
    const linked = { ...headers, 'sec-fetch-dest': 'document' };
    expect((await scene.visitor().ask('/sign-in/with/entra', { headers: linked })).status).toBe(303);
  },
);

test('a provider ends the sessions that it opened', async () => {
  await using scene = await serveProvider();
  const byPassword = await linked(scene);
  const visitor = scene.visitor();
  await scene.signInWith(visitor);
  scene.world.clock.advance(2000);
  const issuedAt = scene.world.clock.now();
  scene.world.identityProviders.logOuts.set('token', {
    issuer: 'https://entra.example',
    subject: 'ada',
    providerSession: null,
    issuedAt,
  });
  const post = (body: string) =>
    visitor.ask('/sign-in/log-out/entra', {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
  expect((await post('logout_token=forged')).status).toBe(400);
  expect((await visitor.get(METHODS)).heading).toBe('Sign-in');
  const done = await post('logout_token=token');
  expect([done.status, done.headers.get('cache-control'), done.text]).toEqual([200, 'no-store', '']);
  expect((await visitor.get(METHODS)).heading).toBe('Sign in');
  expect((await byPassword.get(METHODS)).heading).toBe('Sign-in');
});

test('while passwords are off, the sign-in page has the providers first, and the password for emergencies', async () => {
  await using scene = await serveProvider({}, { passwordSignIn: 'break-glass' });
  const visitor = scene.visitor();
  const page = await visitor.get('/sign-in');
  expect(page.html).toMatch(
    /Sign in with Entra ID.*<details class="field"><summary>Sign in with a password/s,
  );
  const wrong = await page.submit('Sign in', { Email: GOOD.email, Password: 'not the password' });
  expect([wrong.status, wrong.messages]).toEqual([
    401,
    [
      'The email or the password is wrong, or your account does not use passwords. Sign in with your identity provider.',
    ],
  ]);
  expect(wrong.html).toContain('<details class="field" open>');
});
