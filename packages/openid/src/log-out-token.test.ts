import { START } from '@gatehouse/domain/testing';
import type { JWTPayload } from 'jose';
import { SignJWT, UnsecuredJWT } from 'jose';
import { expect, test } from 'vitest';
import { newSigningKey, type SigningKey, sign } from '../testing/hostile-provider.ts';
import { expectNoSecret, openHostileScene } from '../testing/hostile-scene.ts';

const NOW = START / 1000;
const EVENT = 'http://schemas.openid.net/event/backchannel-logout';

type Make = (claims: JWTPayload, key: SigningKey) => string | Promise<string>;

/** Reads a log-out token that differs from a good one in these claims, or is signed otherwise. */
async function readWith(claims: Readonly<Record<string, unknown>>, make: Make = sign) {
  const { hostile, readLogOut } = await openHostileScene();
  const good = {
    iss: hostile.issuer,
    aud: 'gatehouse',
    iat: NOW,
    jti: 'one',
    sub: 'Ada',
    sid: 'a-session',
    events: { [EVENT]: {} },
  };
  return readLogOut(await make(JSON.parse(JSON.stringify({ ...good, ...claims })), hostile.key));
}

test.each([
  ['a person and a session', {}, { subject: 'Ada', providerSession: 'a-session' }],
  ['a person', { sid: undefined }, { subject: 'Ada', providerSession: null }],
  ['a session', { sub: undefined }, { subject: null, providerSession: 'a-session' }],
])('a log-out token may name %s', async (_, claims, named) => {
  expect(await readWith(claims)).toMatchObject({ ok: true, value: { ...named, issuedAt: START } });
});

test.each(['logout+jwt', 'application/logout+jwt', 'JWT'])('it may have the type %s', async (typ) => {
  expect(await readWith({}, (claims, key) => sign(claims, key, { typ }))).toMatchObject({ ok: true });
});

test.each<[string, Readonly<Record<string, unknown>>, string]>([
  ['is of another issuer', { iss: 'https://other.example' }, 'issuer_mismatch'],
  ['has no issuer', { iss: undefined }, 'issuer_mismatch'],
  ['is for another client', { aud: 'another-client' }, 'audience_mismatch'],
  ['has no audience', { aud: undefined }, 'audience_mismatch'],
  ['is older than two minutes', { iat: NOW - 151 }, 'id_token_expired'],
  ['was issued in the future', { iat: NOW + 31 }, 'id_token_expired'],
  ['does not say when it was issued', { iat: undefined }, 'id_token_expired'],
  ['has expired', { exp: NOW - 31 }, 'id_token_expired'],
  ['has no id', { jti: undefined }, 'answer_malformed'],
  ['has an empty id', { jti: '' }, 'answer_malformed'],
  ['has no events, as an ID token', { events: undefined }, 'answer_malformed'],
  ['is about another event', { events: { 'https://other.example': {} } }, 'answer_malformed'],
  ['has an event that is no object', { events: { [EVENT]: true } }, 'answer_malformed'],
  ['has a nonce, as an ID token', { nonce: 'a-nonce' }, 'answer_malformed'],
  ['names neither a person nor a session', { sub: undefined, sid: undefined }, 'answer_malformed'],
  ['names a number', { sub: 7 }, 'answer_malformed'],
])('a log-out token is refused that %s', async (_, claims, reason) => {
  const refused = await readWith(claims);
  expect(refused).toMatchObject({ ok: false, error: { reason } });
  expectNoSecret(JSON.stringify(refused));
});

test.each<[string, Make, string]>([
  ['has another type', (claims, key) => sign(claims, key, { typ: 'at+jwt' }), 'answer_malformed'],
  ['is not signed', (claims) => new UnsecuredJWT(claims).encode(), 'algorithm_not_allowed'],
  [
    'is signed with the published key as a shared secret',
    (claims, { publicJwk }) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'HS256', kid: 'first' })
        .sign(Buffer.from(JSON.stringify(publicJwk))),
    'algorithm_not_allowed',
  ],
  ['is signed with another key', async (claims) => sign(claims, await newSigningKey()), 'signature_invalid'],
])('a log-out token is refused that %s', async (_, make, reason) => {
  expect(await readWith({}, make)).toMatchObject({ ok: false, error: { reason } });
});

test('tokens of unknown keys that are sent again and again make the keys be read once', async () => {
  const { hostile, readLogOut } = await openHostileScene();
  const token = await sign({ iss: hostile.issuer }, await newSigningKey(), { kid: 'unknown' });
  for (let sent = 0; sent < 5; sent += 1) await readLogOut(token);
  expect(hostile.requests).toEqual(['/.well-known/openid-configuration', '/keys']);
});
