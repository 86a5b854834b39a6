import { GOOD, givenConfirmationRule } from '@gatehouse/domain/testing';
import { expect, test } from 'vitest';
import { serveProvider } from '../../testing/serve-provider.ts';

const DAY = 86_400_000;

test('a user whose confirmation ends soon signs in again from the page Sign-in', async () => {
  await using scene = await serveProvider();
  const { world, people } = scene;
  await givenConfirmationRule(world, people.account.id, 30 * DAY);
  const person = { subject: 'ben', email: people.member.email };
  const page = await scene.signInWith(scene.visitor(), person, '/settings/sign-in');
  expect(page.text).toContain('Your API tokens stop working in 30 days');
  expect(page.links.map(({ text }) => text)).not.toContain('Sign in with Entra ID again');
  world.clock.advance(28 * DAY);
  const soon = await (await scene.signedIn({ ...GOOD, email: person.email })).get('/settings/sign-in');
  expect(soon.text).toContain('To keep them working, sign in with your identity provider again.');
  expect(soon.links.map(({ text }) => text)).toContain('Sign in with Entra ID again');
});
