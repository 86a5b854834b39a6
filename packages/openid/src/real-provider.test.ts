import { ok } from '@gatehouse/domain';
import type { AuthorizationRequest, Query } from '@gatehouse/domain/identity-providers';
import { identityProvidersContract } from '@gatehouse/domain/testing/contracts';
import type { Instant } from '@gatehouse/domain/time';
import { expect, onTestFinished, test } from 'vitest';
import { openRealScene, REDIRECT_URI } from '../testing/real-scene.ts';
import { DEFAULT_LIMITS } from './settings.ts';

identityProvidersContract('The adapter at oidc-provider', async () => (await openRealScene()).scene);

const REQUEST: AuthorizationRequest = {
  state: 'state'.padEnd(43, 'x'),
  nonce: 'nonce'.padEnd(43, 'x'),
  codeVerifier: 'verifier'.padEnd(43, 'x'),
  redirectUri: REDIRECT_URI,
  mustAuthenticate: false,
  begunAt: Date.now() as Instant,
};

const ADA = {
  subject: 'Ada',
  email: 'ada@acme.example',
  isEmailVerified: true,
  name: 'Ada',
  groups: ['gatehouse-admins'],
};

async function openScene(...given: Parameters<typeof openRealScene>) {
  const opened = await openRealScene(...given);
  const { scene } = opened;
  onTestFinished(() => scene[Symbol.asyncDispose]());
  async function comeBack(): Promise<Query> {
    const begun = await scene.providers.begin(scene.id, REQUEST);
    return scene.signIn(begun.ok ? begun.value : expect.fail(begun.error.detail), ADA);
  }
  return { ...opened, comeBack, redeem: (query: Query) => scene.providers.redeem(scene.id, query, REQUEST) };
}

test('the claims may be in the ID token itself, as most providers send them', async () => {
  const { comeBack, redeem } = await openScene({ conformIdTokenClaims: false });
  expect(await redeem(await comeBack())).toMatchObject({
    value: { email: ADA.email, isEmailVerified: true, roleValues: ADA.groups },
  });
});

test.each(['client_secret_basic', 'client_secret_post'] as const)(
  'the client proves who it is by %s if the provider offers nothing else',
  async (method) => {
    const { comeBack, redeem } = await openScene({
      clientAuthMethods: [method],
      clientDefaults: { token_endpoint_auth_method: method },
    });
    expect(await redeem(await comeBack())).toMatchObject({ ok: true });
  },
);

test('a client without a secret proves itself by PKCE alone', async () => {
  const { comeBack, redeem } = await openScene(
    { clientAuthMethods: ['none'], clientDefaults: { token_endpoint_auth_method: 'none' } },
    { clientSecret: undefined },
  );
  expect(await redeem(await comeBack())).toMatchObject({ ok: true });
});

test('a wrong client secret is a mistake of the settings, and a check of the provider finds it', async () => {
  const { scene, comeBack, redeem } = await openScene({}, { clientSecret: () => 'not/the secret' });
  expect(await redeem(await comeBack())).toMatchObject({ error: { reason: 'provider_misconfigured' } });
  expect(await scene.providers.test(scene.id, REDIRECT_URI)).toContainEqual({
    step: 'credentials',
    verdict: 'problem',
    text: 'the provider answered with invalid_client: compare clientId and the client secret with the registration at the provider',
  });
});

test('a provider that rotates its key is believed at once', async () => {
  const { real, monotonicClock, comeBack, redeem } = await openScene();
  expect(await redeem(await comeBack())).toMatchObject({ ok: true });
  await real.rotateKey();
  monotonicClock.advance(DEFAULT_LIMITS.freshKeysMs);
  expect(await redeem(await comeBack())).toMatchObject({ ok: true });
});

test('keys that were read a moment ago are not read again for a token of an unknown key', async () => {
  const { real, scene, monotonicClock, comeBack, redeem } = await openScene();
  await redeem(await comeBack());
  await real.rotateKey();
  monotonicClock.advance(DEFAULT_LIMITS.freshKeysMs - 1);
  const token = await real.logOutToken('Ada');
  expect(await scene.providers.readLogOut(scene.id, token)).toMatchObject({
    error: { reason: 'signature_invalid' },
  });
  monotonicClock.advance(1);
  expect(await scene.providers.readLogOut(scene.id, token)).toEqual(ok(expect.anything()));
});
