import { expect, test } from 'vitest';
import { createProviderScene, unwrap } from '../../testing/index.ts';
import { isPasswordFresh, PASSWORD_TRUST_MS } from '../sessions/index.ts';
import { addMilliseconds } from '../time/index.ts';

const MINUTE_MS = 60_000;

test.each([
  ['who typed a password there an hour ago has to confirm it before a token is made', -60, false],
  ['who typed it a minute ago has not', -1, true],
  ['who typed it in the future, by a wrong clock, is not fresh for longer', 60, true],
  ['of whom the provider does not say when is believed', null, true],
])('a person %s', async (_, minutes, isFresh) => {
  const { world, signIn } = await createProviderScene();
  const now = world.clock.now();
  const authenticatedAt = minutes === null ? null : addMilliseconds(now, minutes * MINUTE_MS);
  const signedIn = unwrap(await signIn({ authenticatedAt }));
  if (signedIn.did !== 'signed-in') throw new Error('no session');
  expect(isPasswordFresh(signedIn.session, now)).toBe(isFresh);
  expect(isPasswordFresh(signedIn.session, addMilliseconds(now, PASSWORD_TRUST_MS + 1))).toBe(false);
});
