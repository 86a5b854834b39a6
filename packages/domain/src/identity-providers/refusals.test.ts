import { expect, test } from 'vitest';
import { aPerson, createProviderScene, REFUSAL_SCENES, unwrap } from '../../testing/index.ts';
import { PROVIDER_REFUSALS, type ProviderFailureReason } from './refusals.ts';

const CASES = Object.entries(REFUSAL_SCENES).flatMap(([reason, scenes]) =>
  Object.entries(scenes).map(([name, play]) => ({ reason, name, play })),
);

test.each(CASES)('$reason: $name', async ({ reason, play }) => {
  const scene = await createProviderScene();
  expect(await play(scene)).toMatchObject({
    ok: false,
    error: { code: 'provider_sign_in_refused', reason },
  });
  const { world, ada, grace, mia, eve } = scene;
  const thief = { issuer: 'https://entra.example', subject: 'thief' };
  expect(await world.identities.findUser(thief)).toBeUndefined();
  for (const user of [grace, mia, eve])
    expect((await world.identities.findMeans(user.id))?.identities.map(({ subject }) => subject)).toSatisfy(
      (subjects: string[]) => subjects.every((subject) => user === mia && subject === 'mia'),
    );
  expect((await world.identities.findMeans(ada.id))?.identities.length).toBeLessThan(2);
});

const FAILURES = Object.entries(PROVIDER_REFUSALS).flatMap(([reason, step]) =>
  step === 'provider' ? [reason as ProviderFailureReason] : [],
);

test.each(FAILURES)('the failure %s of the provider is the reason', async (reason) => {
  const { world, begin, answered, complete, events } = await createProviderScene();
  const { location, browser } = unwrap(await begin({ next: '/tokens' }));
  const before = await events(100);
  world.identityProviders.failing = reason;
  const refusal = { reason, detail: `the test asks for ${reason}`, purpose: 'sign-in', next: '/tokens' };
  expect(await complete({ query: answered(location, aPerson()), browser })).toMatchObject({ error: refusal });
  expect(await begin({ next: '/tokens' })).toMatchObject({ error: refusal });
  expect(await events(100)).toEqual(before);
});

test('refusals that concern a user are audited by the provider, in the user’s account', async () => {
  const { signIn, events, ada } = await createProviderScene();
  await signIn();
  await signIn({ subject: 'thief' });
  expect((await events(1))[0]).toMatchObject({
    action: 'user.link_refused',
    actor: { kind: 'operator', name: 'identity provider entra' },
    accountId: ada.accountId,
    details: { email: ada.email, subject: 'thief', reason: 'user_has_other_identity' },
  });
});
