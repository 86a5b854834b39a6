import { givenConfirmationRule, givenPerson, givenToken } from '@gatehouse/domain/testing';
import { expect, test } from 'vitest';
import { serveProvider } from '../../../testing/serve-provider.ts';

const DAY = 86_400_000;

test('the page of a user says how the user signs in, and what to do if the user is not confirmed', async () => {
  await using scene = await serveProvider();
  const { world, people } = scene;
  const cy = await givenPerson(world, { accountId: people.account.id, email: 'cy@acme.example', name: 'Cy' });
  await givenToken(world, cy, { expiresAt: null });
  await givenConfirmationRule(world, people.account.id, 30 * DAY);
  const path = `/settings/users/${cy.id}`;
  const shown = async () => (await (await scene.signedIn()).get(path)).text;
  expect(await shown()).toMatch(/Sign-in Password Second factor/);
  await scene.signInWith(scene.visitor(), { subject: 'cy', email: cy.email }, '/settings/profile');
  expect(await shown()).toMatch(/Sign-in Password and Entra ID \(confirmed just now ?\)/);
  expect(await shown()).not.toContain('Not confirmed');
  expect(await shown()).toContain('1 active');
  world.clock.advance(30 * DAY);
  expect(await shown()).toContain('1 refused');
  expect(await shown()).toContain(
    'They work again as soon as the user signs in with the identity provider again.',
  );
});
