import fc from 'fast-check';
import { expect, test } from 'vitest';
import { expectNoSecret, openHostileScene } from '../testing/hostile-scene.ts';

/** A value of the wrong type, or a text that is not what it should be. */
const value = fc.oneof(
  { weight: 3, arbitrary: fc.jsonValue({ maxDepth: 1 }) },
  fc.constantFrom('', 'none', 'https://elsewhere.example', '\u0000', -1, 2 ** 60, null, [], {}, true),
  fc.string({ unit: 'binary', maxLength: 20 }),
);

/** Some of these members, with such values. */
const members = (...names: readonly string[]) =>
  fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 2, noNullPrototype: true });

const BEHAVIOUR = fc.record(
  {
    discovery: members(
      'issuer',
      'authorization_endpoint',
      'token_endpoint',
      'jwks_uri',
      'userinfo_endpoint',
      'id_token_signing_alg_values_supported',
      'token_endpoint_auth_methods_supported',
      'authorization_response_iss_parameter_supported',
    ),
    token: members('access_token', 'token_type', 'id_token', 'expires_in', 'refresh_token', 'scope', 'error'),
    keys: fc.oneof(
      members('keys'),
      members('kty', 'kid', 'alg', 'use', 'crv', 'x', 'y', 'key_ops').map((key) => ({ keys: [key] })),
    ),
    userInfo: members('sub', 'email', 'email_verified', 'groups'),
    claims: members(
      'iss',
      'aud',
      'azp',
      'sub',
      'nonce',
      'iat',
      'exp',
      'nbf',
      'auth_time',
      'email',
      'groups',
      'sid',
    ),
  },
  { requiredKeys: [] },
);

const QUERY = members('iss', 'state', 'code', 'error', 'id_token', 'response').map((given) =>
  Object.entries(given).map(([name, each]) => [name, `${each}`] as const),
);

test('whatever a provider and a browser send, a sign-in ends with a person or a reason', async () => {
  const endings = new Set<string>();
  await fc.assert(
    fc.asyncProperty(BEHAVIOUR, fc.option(QUERY, { freq: 4, nil: [] }), async (behaviour, changes) => {
      const { hostile, signIn } = await openHostileScene();
      hostile.behave(behaviour);
      const end = await signIn(undefined, (query) => {
        for (const [name, each] of changes) query.set(name, each);
      });
      endings.add(end.ok ? 'ok' : end.error.reason);
      expectNoSecret(end.ok ? '' : end.error.detail);
      await hostile.close();
    }),
    { numRuns: 300 },
  );
  // The values are near enough to right ones to reach the checks behind the first.
  expect(endings.size).toBeGreaterThan(5);
});
