import { expect, test } from 'vitest';
import type { Behaviour } from '../testing/hostile-provider.ts';
import { expectNoSecret, openHostileScene } from '../testing/hostile-scene.ts';

async function check(behaviour: Behaviour, provider = {}) {
  const scene = await openHostileScene({ provider });
  scene.hostile.behave(behaviour);
  const findings = await scene.test();
  expectNoSecret(JSON.stringify(findings));
  return { findings, ...scene };
}

/** Refuses the code that the check makes up, as a provider does that accepts the client. */
const refuseCode: Behaviour['token'] = (_, response) =>
  void response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"invalid_grant"}');

test('every step of a provider that works is listed', async () => {
  const { findings, hostile } = await check({ token: refuseCode });
  expect(findings.map(({ step, verdict, text }) => `${step}: ${verdict}: ${text}`)).toEqual([
    `discovery: ok: ${hostile.issuer}/.well-known/openid-configuration is of this issuer`,
    `endpoints: ok: people sign in at ${hostile.issuer}/authorize`,
    'endpoints: note: the provider does not say that it supports PKCE with S256; Gatehouse sends it all the same',
    'keys: ok: the provider publishes 1 key',
    'credentials: ok: the provider accepts the client',
    'log-out: ok: the provider supports back-channel log-out',
  ]);
});

test.each<[string, Behaviour, string]>([
  [
    'an issuer that is not that of the settings',
    { discovery: { issuer: 'https://other.example' } },
    'discovery',
  ],
  ['another flow', { discovery: { response_types_supported: ['id_token'] } }, 'endpoints'],
  ['no key', { keys: { keys: [] } }, 'keys'],
  ['keys that are not there', { keys: (_, response) => void response.writeHead(404).end() }, 'keys'],
  [
    'a client that is unknown there',
    {
      token: (_, response) =>
        void response
          .writeHead(400, { 'content-type': 'application/json' })
          .end('{"error":"unauthorized_client"}'),
    },
    'credentials',
  ],
  ['a client whom it gives a token for any code', { token: {} }, 'credentials'],
])('a provider with %s has a problem', async (_, behaviour, step) => {
  const { findings } = await check({ token: refuseCode, ...behaviour });
  expect(findings.filter(({ verdict }) => verdict === 'problem').map((finding) => finding.step)).toContain(
    step,
  );
});

test.each([
  [{ scopes_supported: ['openid'] }, 'the provider does not list the scope email'],
  [{ claims_supported: ['sub'] }, 'email_verified'],
  [{ claims_supported: ['sub'] }, 'auth_time'],
  [{ backchannel_logout_supported: undefined }, 'back-channel log-out'],
])('a provider that lacks %j gets a note', async (discovery, text) => {
  const { findings } = await check({ token: refuseCode, discovery });
  expect(findings).toContainEqual({
    step: expect.any(String),
    verdict: 'note',
    text: expect.stringContaining(text),
  });
});
