import { createHash } from 'node:crypto';
import { START } from '@gatehouse/domain/testing';
import { addMilliseconds } from '@gatehouse/domain/time';
import type { JWTPayload } from 'jose';
import { describe, expect, it, test } from 'vitest';
import { newSigningKey, type SigningKey, sign } from '../testing/hostile-provider.ts';
import { expectNoSecret, openHostileScene, REQUEST } from '../testing/hostile-scene.ts';
import { SCENES } from '../testing/refused-sign-ins.ts';

describe.each(Object.entries(SCENES))('%s', (reason, scenes) => {
  it.each(Object.entries(scenes))(
    'a sign-in is refused if %s',
    async (_, { behaviour = {}, request, query }) => {
      const { hostile, signIn } = await openHostileScene();
      hostile.behave(behaviour);
      const refused = await signIn({ ...REQUEST, ...request }, query);
      expect(refused).toMatchObject({ ok: false, error: { reason } });
      expectNoSecret(JSON.stringify(refused));
    },
  );
});

test('a provider that behaves well is believed', async () => {
  const { signIn } = await openHostileScene();
  expect(await signIn()).toMatchObject({ ok: true, value: { subject: 'Ada', isEmailVerified: true } });
});

test.each([
  ['an expiry', { exp: START / 1000 - 29 }],
  ['a time of issue', { iat: START / 1000 + 29 }],
])('clocks may differ by half a minute: %s', async (_, claims) => {
  const { signInWith } = await openHostileScene();
  expect(await signInWith({ claims })).toMatchObject({ ok: true });
});

test('a token without a key id may be of any of the keys', async () => {
  const { hostile, signInWith } = await openHostileScene();
  const other = await newSigningKey();
  const keys = { keys: [other.publicJwk, hostile.key.publicJwk] };
  const unnamed = (by: SigningKey) => (claims: JWTPayload) => sign(claims, by, { kid: undefined });
  expect(await signInWith({ keys, sign: unnamed(hostile.key) })).toMatchObject({ ok: true });
  expect(await signInWith({ keys, sign: unnamed(await newSigningKey()) })).toMatchObject({
    error: { reason: 'signature_invalid' },
  });
});

test('the address of the provider asks for a code by PKCE, and ties it to the attempt', async () => {
  const { hostile, begin } = await openHostileScene();
  const begun = await begin({ ...REQUEST, loginHint: 'ada@acme.example' });
  const address = new URL(begun.ok ? begun.value : expect.fail(begun.error.detail));
  expect(address.href).toMatch(`${hostile.issuer}/authorize?`);
  expect(Object.fromEntries(address.searchParams)).toEqual({
    client_id: 'gatehouse',
    response_type: 'code',
    scope: 'openid email profile',
    redirect_uri: REQUEST.redirectUri,
    state: REQUEST.state,
    nonce: REQUEST.nonce,
    code_challenge: createHash('sha256').update(REQUEST.codeVerifier).digest('base64url'),
    code_challenge_method: 'S256',
    login_hint: 'ada@acme.example',
  });
});

test('a person who authenticated while the attempt lasted is believed, also if a second step took two minutes', async () => {
  const request = { ...REQUEST, mustAuthenticate: true, begunAt: addMilliseconds(START, -120_000) };
  const { hostile, signIn } = await openHostileScene();
  hostile.behave({ claims: { auth_time: START / 1000 - 110 } });
  expect(await signIn(request)).toMatchObject({ ok: true });
});

test('a person who must authenticate is asked to, although the provider still knows them', async () => {
  const { begin } = await openHostileScene();
  const begun = await begin({ ...REQUEST, mustAuthenticate: true });
  const { searchParams } = new URL(begun.ok ? begun.value : expect.fail(begun.error.detail));
  expect([searchParams.get('prompt'), searchParams.get('max_age')]).toEqual(['login', '0']);
});

test.each([
  [{ email: undefined, email_verified: true }, { email: 'eve@acme.example' }, 'eve@acme.example'],
  [
    { groups: undefined, email_verified: undefined },
    { email: 'eve@acme.example', email_verified: true },
    'ada@acme.example',
  ],
])('an address is not verified by what is said of another one: %j %j', async (claims, more, email) => {
  const { signInWith } = await openHostileScene();
  expect(await signInWith({ claims, userInfo: { sub: 'Ada', ...more } })).toMatchObject({
    value: { email, isEmailVerified: false },
  });
});

test('the provider’s own answer about a person does not change what the ID token says', async () => {
  const { signInWith } = await openHostileScene();
  const userInfo = {
    sub: 'Ada',
    email: 'eve@acme.example',
    email_verified: true,
    groups: ['gatehouse-admins'],
  };
  expect(await signInWith({ userInfo, claims: { groups: undefined, email_verified: false } })).toMatchObject({
    value: { email: 'ada@acme.example', isEmailVerified: false, roleValues: ['gatehouse-admins'] },
  });
});
