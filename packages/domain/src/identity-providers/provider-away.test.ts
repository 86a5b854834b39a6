import { expect, test } from 'vitest';
import { aPerson, createProviderScene, unwrap } from '../../testing/index.ts';
import { DEFAULT_SIGN_IN_LIMITS } from '../sign-in/index.ts';

const MORE_THAN_ALLOWED = DEFAULT_SIGN_IN_LIMITS.address.attempts + 1;

test('however many people of an office ask for a provider that is away, a password works there', async () => {
  const { world, ada, begin, withPassword } = await createProviderScene();
  world.identityProviders.failing = 'provider_unreachable';
  for (let asked = 0; asked < MORE_THAN_ALLOWED; asked += 1)
    expect(await begin()).toMatchObject({ error: { reason: 'provider_unreachable' } });
  expect((await withPassword(ada)).session.userId).toBe(ada.id);
});

test('the same if the provider goes away before it is asked who they are', async () => {
  const { world, ada, begin, answered, complete, withPassword } = await createProviderScene();
  for (let asked = 0; asked < MORE_THAN_ALLOWED; asked += 1) {
    world.identityProviders.failing = undefined;
    const { location, browser } = unwrap(await begin());
    world.identityProviders.failing = 'provider_unreachable';
    const back = await complete({ query: answered(location, aPerson()), browser });
    expect(back).toMatchObject({ error: { reason: 'provider_unreachable' } });
  }
  expect((await withPassword(ada)).session.userId).toBe(ada.id);
});

test('an answer that is not accepted counts', async () => {
  const { begin, complete } = await createProviderScene();
  for (let asked = 1; asked < MORE_THAN_ALLOWED; asked += 1) {
    const { location, browser } = unwrap(await begin());
    const state = new URL(location).searchParams.get('state') ?? '';
    const back = await complete({ query: Object.entries({ state, code: 'guessed' }), browser });
    expect(back).toMatchObject({ error: { reason: 'code_not_accepted' } });
  }
  expect(await begin()).toMatchObject({ error: { code: 'too_many_attempts' } });
});

test('an attempt for which the provider could not be asked is not kept', async () => {
  const { world, begin } = await createProviderScene();
  world.identityProviders.failing = 'provider_misconfigured';
  await begin();
  world.clock.advance(1);
  expect(await world.attempts.sweep({ createdBefore: world.clock.now(), limit: 10 })).toBe(0);
});
