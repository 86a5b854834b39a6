import { expect, test } from 'vitest';
import {
  aPerson,
  createProviderScene,
  ENTRA,
  givenConfirmationRule,
  inPerson,
  OPERATOR,
  unwrap,
} from '../../testing/index.ts';
import { err } from '../result.ts';
import { setSecondFactorPolicy } from '../second-factor/index.ts';
import { findSession } from '../sessions/index.ts';
import { disableUser } from '../users/index.ts';
import { ATTEMPT_MS } from './attempt.ts';
import { showSignInMeans } from './show-sign-in-means.ts';

test('a verified address of a listed domain links once, and from then on the subject alone decides', async () => {
  const { ada, signIn, isSignedIn, events } = await createProviderScene();
  const first = unwrap(await signIn({ providerSession: 'sid-1' }, { next: '/settings' }));
  expect(first).toMatchObject({ did: 'signed-in', user: ada, next: '/settings' });
  if (first.did !== 'signed-in') throw new Error('no session');
  expect(await isSignedIn(first.secret)).toBe(true);
  expect(first.session.provider).toEqual({
    provider: ENTRA,
    issuer: 'https://entra.example',
    subject: 'ada',
    providerSession: 'sid-1',
  });
  expect(await events(2)).toMatchObject([
    {
      action: 'user.linked',
      actor: { kind: 'user', id: ada.id },
      details: { email: ada.email, provider: ENTRA, issuer: 'https://entra.example', subject: 'ada' },
    },
    { action: 'session.created', details: { provider: ENTRA } },
  ]);
  const renamed = { email: 'grace@acme.example', isEmailVerified: true };
  expect(unwrap(await signIn(renamed))).toMatchObject({ user: { id: ada.id } });
});

test('the address is compared by its key, and the domain by its letters', async () => {
  const { signIn, ada } = await createProviderScene();
  expect(unwrap(await signIn({ email: 'ADA@Acme.EXAMPLE' }))).toMatchObject({ user: ada });
});

test.each([
  // The key of both is the same, so no user can have it; but it is another mailbox.
  ['\uff41da@acme.example', 'identity_not_linked'],
  ['ada@\uff41cme.example', 'email_domain_not_listed'],
  ['ada@acme.example.evil.example', 'email_domain_not_listed'],
  ['"ada@acme.example"@evil.example', 'identity_not_linked'],
  ['ada@sub.acme.example', 'email_domain_not_listed'],
  ['ada@acme.example ', 'identity_not_linked'],
  ['1@service.invalid', 'identity_not_linked'],
])('the address %s links no one', async (email, reason) => {
  const { signIn } = await createProviderScene();
  expect(await signIn({ email })).toMatchObject({ error: { reason } });
});

test('an answer is used once', async () => {
  const { begin, answered, complete } = await createProviderScene();
  const { location, browser } = unwrap(await begin());
  const query = answered(location, aPerson());
  expect(await complete({ query, browser })).toMatchObject({ ok: true });
  answered(location, aPerson());
  expect(await complete({ query, browser })).toMatchObject({ error: { reason: 'attempt_unknown' } });
});

test('a failed answer uses the attempt up, too', async () => {
  const { world, begin, answered, complete } = await createProviderScene();
  const { location, browser } = unwrap(await begin());
  const query = answered(location, aPerson());
  world.identityProviders.failing = 'provider_unreachable';
  expect(await complete({ query, browser })).toMatchObject({ error: { reason: 'provider_unreachable' } });
  world.identityProviders.failing = undefined;
  expect(await complete({ query, browser })).toMatchObject({ error: { reason: 'attempt_unknown' } });
});

test.each([
  [{ issuer: 'https://entra.example/' }, 'issuer_mismatch'],
  [{ subject: '' }, 'answer_malformed'],
  [{ subject: 'a\u0000' }, 'answer_malformed'],
  [{ subject: 'é' }, 'answer_malformed'],
  [{ subject: 'a'.repeat(256) }, 'answer_malformed'],
  [{ providerSession: '\u0000' }, 'answer_malformed'],
  [{ providerSession: '\ud800' }, 'answer_malformed'],
  [{ providerSession: 'a'.repeat(1001) }, 'answer_malformed'],
])('the answer %j is refused before anything is decided', async (person, reason) => {
  const { signIn } = await createProviderScene();
  expect(await signIn(person)).toMatchObject({ error: { reason } });
});

test('a text that is no address is not stored', async () => {
  const { signIn, own, ada } = await createProviderScene();
  await signIn();
  expect(await signIn({ email: 'ada\u0000@acme.example', name: '\ud800' })).toMatchObject({ ok: true });
  expect(await own(ada)).toMatchObject({ value: { identities: [{ email: null }] } });
});

test('several tabs of a browser sign in with one cookie', async () => {
  const { begin, answered, complete } = await createProviderScene();
  const one = unwrap(await begin());
  const other = unwrap(await begin({ browser: one.browser }));
  expect(other.browser).toBe(one.browser);
  for (const { location, browser } of [other, one])
    expect(await complete({ query: answered(location, aPerson()), browser })).toMatchObject({ ok: true });
});

test.each(['/'.repeat(2001), '/\u0000', '/\ud800'])(
  'a next page that cannot be stored is none',
  async (next) => {
    const { signIn } = await createProviderScene();
    expect(unwrap(await signIn({}, { next }))).toMatchObject({ next: null });
  },
);

test('an operator sees how a user can sign in, and an admin only in the own account', async () => {
  const { world, signIn, ada, eve } = await createProviderScene();
  await signIn();
  const show = showSignInMeans(world);
  const { email } = ada;
  expect(await show(OPERATOR, { email })).toMatchObject({
    value: { identities: [{ subject: 'ada' }], hasPassword: true },
  });
  expect(await show(inPerson(ada), { email })).toMatchObject({ ok: true });
  expect(await show(inPerson(eve), { email })).toEqual(err({ code: 'user_not_found' }));
});

test('a malformed cookie is replaced', async () => {
  const { begin } = await createProviderScene();
  expect(unwrap(await begin({ browser: 'x' })).browser).toMatch(/^[\w-]{43}$/);
});

test('the stored attempt lacks what the provider and the browser know', async () => {
  const { world, begin } = await createProviderScene();
  const { browser, location } = unwrap(await begin());
  const [request] = world.identityProviders.begun;
  if (!request) throw new Error('nothing was begun');
  const { state, nonce, codeVerifier } = request;
  expect(location).toContain(state);
  const stored = JSON.stringify(await world.attempts.take(world.attemptSecrets.hashOf(state as never)));
  for (const secret of [state, nonce, codeVerifier, browser]) expect(stored).not.toContain(secret);
});

test('attempts of one address are limited, and those that end well do not count', async () => {
  const { begin, signIn, world } = await createProviderScene();
  for (let count = 0; count < 150; count += 1) expect(await signIn()).toMatchObject({ ok: true });
  for (let count = 0; count < 100; count += 1) expect(await begin()).toMatchObject({ ok: true });
  expect(await begin()).toMatchObject({ error: { code: 'too_many_attempts', limit: 'address' } });
  expect(await begin({ address: '192.0.2.8' })).toMatchObject({ ok: true });
  world.clock.advance(ATTEMPT_MS * 2);
  expect(await begin()).toMatchObject({ ok: true });
});

test('a user who is disabled while the provider asks gets no session', async () => {
  const { world, begin, answered, complete, ada, grace, signIn } = await createProviderScene();
  await signIn();
  const { location, browser } = unwrap(await begin());
  unwrap(await disableUser(world)(inPerson(grace), { id: ada.id, reason: null, transferTo: null }));
  expect(await complete({ query: answered(location, aPerson()), browser })).toEqual(
    err({
      code: 'provider_sign_in_refused',
      reason: 'user_not_active',
      detail: null,
      purpose: 'sign-in',
      next: null,
    }),
  );
});

test('a session of a provider asks for nothing until it is no longer fresh, and then the provider confirms', async () => {
  const { world, signIn, ada, isSignedIn } = await createProviderScene();
  const opened = unwrap(await signIn());
  if (opened.did !== 'signed-in') throw new Error('no session');
  const { session, secret } = opened;
  expect(session.passwordGivenAt).toBe(world.clock.now());
  world.clock.advance(ATTEMPT_MS * 2);
  const purpose = { kind: 'confirm', session } as const;
  const confirmed = unwrap(await signIn({}, { purpose, session: { id: session.id, secret } }));
  if (confirmed.did !== 'confirmed') throw new Error('not confirmed');
  expect(world.identityProviders.begun.map(({ mustAuthenticate }) => mustAuthenticate)).toEqual([
    false,
    true,
  ]);
  expect(confirmed.user).toEqual(ada);
  expect(await isSignedIn(secret)).toBe(false);
  expect(await isSignedIn(confirmed.secret)).toBe(true);
  const hash = world.sessionSecrets.hashOf(confirmed.secret);
  expect(await world.sessions.find(hash)).toMatchObject({ passwordGivenAt: world.clock.now() });
});

test('roles come from the provider at each sign-in, except that of the last admin', async () => {
  const rules = [
    { value: 'staff', role: 'member' },
    { value: 'boss', role: 'admin' },
  ] as const;
  const { ada, grace, signIn, events } = await createProviderScene({ roles: { claim: 'groups', rules } });
  const asAda = { roleValues: ['boss', 'staff'] };
  expect(unwrap(await signIn(asAda))).toMatchObject({ user: { id: ada.id, role: 'member' } });
  expect((await events(2))[0]).toMatchObject({
    action: 'user.role_set',
    actor: { kind: 'operator', name: 'identity provider entra' },
    details: { from: 'admin', to: 'member', provider: ENTRA },
  });
  const asGrace = { subject: 'grace', email: grace.email, roleValues: ['staff'] };
  expect(unwrap(await signIn(asGrace))).toMatchObject({ user: { id: grace.id, role: 'admin' } });
  expect((await events(2))[0]).toMatchObject({ action: 'user.demotion_refused' });
});

test('a provider that gives no role any more ends the confirmation of the user', async () => {
  const rules = [{ value: 'staff', role: 'admin' }] as const;
  const { world, ada, signIn, accountId } = await createProviderScene({
    roles: { claim: 'groups', rules },
  });
  const until = async () => (await world.users.findById(ada.id))?.confirmedUntil;
  await signIn({ roleValues: ['staff'] });
  expect(await until()).toBeNull();
  await givenConfirmationRule(world, accountId, 5000);
  expect(await until()).toBe(world.clock.now() + 5000);
  for (const [roleValues, reason] of [
    [[], 'no_role'],
    ['too-many', 'roles_left_out'],
  ] as const) {
    world.clock.advance(1);
    await signIn({ roleValues: ['staff'] });
    expect(await until()).toBe(world.clock.now() + 5000);
    expect(await signIn({ roleValues })).toMatchObject({ error: { reason } });
    expect(await until()).toBe(5000);
  }
});

test('unlinking keeps until when the user is confirmed', async () => {
  const { world, ada, signIn, accountId, unlinkOwn, own } = await createProviderScene();
  await givenConfirmationRule(world, accountId, 5000);
  const opened = unwrap(await signIn());
  expect(await own(ada)).toMatchObject({
    value: { identities: [{ subject: 'ada', provider: { id: ENTRA } }], linkable: [{ id: 'other' }] },
  });
  expect(await unlinkOwn(ada)).toMatchObject({ ok: true });
  const confirmed = await world.users.findById(ada.id);
  expect(confirmed?.confirmedUntil).toBe(opened.user && world.clock.now() + 5000);
  expect(await unlinkOwn(ada)).toEqual(err({ code: 'identity_not_found' }));
  expect(await own(ada)).toMatchObject({ value: { linkable: [{ id: ENTRA }, { id: 'other' }] } });
});

test('an operator unlinks with a reason, by a provider or all', async () => {
  const { ada, signIn, unlink, events } = await createProviderScene();
  await signIn();
  const { email } = ada;
  const by = { email, provider: 'nowhere', reason: 'left' };
  expect(await unlink(OPERATOR, by)).toEqual(err({ code: 'provider_not_found' }));
  expect(await unlink(OPERATOR, { ...by, provider: 'other' })).toEqual(err({ code: 'identity_not_found' }));
  expect(await unlink(OPERATOR, { ...by, provider: 'entra' })).toMatchObject({ value: { user: ada } });
  expect((await events(1))[0]).toMatchObject({
    action: 'user.unlinked',
    details: { email, subject: 'ada', reason: 'left' },
  });
  expect(await unlink(inPerson(ada), by)).toEqual(err({ code: 'not_allowed' }));
});

test('a log-out at the provider ends the sessions that it opened, but none that began later', async () => {
  const { world, signIn, withPassword, isSignedIn, logOut, ada, events } = await createProviderScene();
  const opened = unwrap(await signIn({ providerSession: 'sid' }));
  const own = await withPassword(ada);
  if (opened.did !== 'signed-in') throw new Error('no session');
  const issuer = 'https://entra.example';
  const issuedAt = world.clock.now();
  world.identityProviders.logOuts.set('token', { issuer, subject: 'ada', providerSession: 'sid', issuedAt });
  expect(await logOut('forged')).toMatchObject({ error: { reason: 'signature_invalid' } });
  expect(await logOut('token')).toEqual({ ok: true, value: { ended: 1 } });
  expect(await isSignedIn(opened.secret)).toBe(false);
  expect(await isSignedIn(own.secret)).toBe(true);
  expect((await events(1))[0]).toMatchObject({
    action: 'session.ended',
    actor: { kind: 'operator', name: 'identity provider entra' },
    accountId: ada.accountId,
    origin: '198.51.100.1',
  });
  world.clock.advance(1000);
  const later = unwrap(await signIn({ providerSession: 'sid' }));
  expect(await logOut('token')).toEqual({ ok: true, value: { ended: 0 } });
  expect(await isSignedIn(later.did === 'signed-in' ? later.secret : '')).toBe(true);
});

test('a log-out of another issuer, of no one or at an unknown provider ends nothing', async () => {
  const { world, logOut } = await createProviderScene();
  const issuedAt = world.clock.now();
  const { logOuts } = world.identityProviders;
  logOuts.set('foreign', { issuer: 'https://x.example', subject: 'ada', providerSession: null, issuedAt });
  const issuer = 'https://entra.example';
  logOuts.set('empty', { issuer, subject: null, providerSession: null, issuedAt });
  expect(await logOut('foreign')).toMatchObject({ error: { reason: 'issuer_mismatch' } });
  expect(await logOut('empty')).toMatchObject({ error: { reason: 'answer_malformed' } });
  expect(await logOut('foreign', 'x' as typeof ENTRA)).toMatchObject({
    error: { reason: 'provider_unknown' },
  });
});

test('a provider that signs a user in needs no second factor of Gatehouse, although the account demands one', async () => {
  const { world, ada, signIn, withPassword, accountId } = await createProviderScene();
  unwrap(await setSecondFactorPolicy(world)(OPERATOR, { accountId, policy: 'admins' }));
  const [byProvider, byPassword] = [unwrap(await signIn()), await withPassword(ada)];
  if (byProvider.did !== 'signed-in') expect.fail('not signed in');
  for (const [secret, mustEnrol] of [
    [byProvider.secret, false],
    [byPassword.secret, true],
  ] as const)
    expect(unwrap(await findSession(world)(secret, '192.0.2.7')).mustEnrol).toBe(mustEnrol);
});
