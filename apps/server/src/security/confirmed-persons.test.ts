import {
  A_SETTLEMENT_AUDIT,
  apiToken,
  aSettlement,
  decideFor,
  givenConfirmationRule,
  givenIdentity,
  givenPerson,
  inPerson,
  PASSWORD,
  unwrap,
} from '@gatehouse/domain/testing';
import { giveToken } from '@gatehouse/domain/tokens';
import { createServiceAccount } from '@gatehouse/domain/users';
import { expect, test } from 'vitest';
import { call, ME, problemOf, signInWith, tokenIn } from '../../testing/client.ts';
import { introspect } from '../../testing/introspect.ts';
import { startTestServer } from '../../testing/start-test-server.ts';

const DAY = 86_400_000;

/** Starts a server with an admin whom a provider has just confirmed, in an account that demands it every 30 days. */
async function serveConfirmed() {
  const scene = await startTestServer({ given: async ({ orders }) => ({ given: await orders() }) });
  const { world, people, url } = scene;
  const { admin } = people;
  const { person } = await givenIdentity(world, admin, { at: world.clock.now() });
  await givenConfirmationRule(world, admin.accountId, 30 * DAY);
  return {
    ...scene,
    statusOf: async (token: string) => (await call(url, ME, { token })).status,
    introspected: async (token: string) =>
      (await introspect(url, `Bearer ${scene.given.secret}`, { token })).json,
    /** The person signs in with the provider again. */
    confirmAgain: () =>
      world.identities.settle(
        aSettlement({ person, at: world.clock.now() }),
        decideFor(admin),
        A_SETTLEMENT_AUDIT,
      ),
  };
}

test('tokens of a person whom no provider confirmed in time are refused, until the person signs in there again', async () => {
  await using scene = await serveConfirmed();
  const { world, people, url } = scene;
  const api = await apiToken(world, people.admin);
  world.clock.advance(30 * DAY - 1);
  expect(await scene.statusOf(api.secret)).toBe(200);
  world.clock.advance(1);
  const refused = await call(url, ME, { token: api.secret });
  expect(problemOf(refused)).toEqual([401, 'token-not-accepted']);
  expect((await world.tokens.findUsage(api.record.id)).refusedFrom).toMatchObject([
    { reason: 'not_confirmed' },
  ]);
  await scene.confirmAgain();
  expect(await scene.statusOf(api.secret)).toBe(200);
});

test('a person who is not confirmed gets no new token: by a sign-in of the API neither', async () => {
  await using scene = await serveConfirmed();
  const { world, people, url } = scene;
  world.clock.advance(30 * DAY);
  expect((await signInWith(url, { email: people.admin.email, password: PASSWORD })).status).toBe(401);
  await scene.confirmAgain();
  const signedIn = await signInWith(url, { email: people.admin.email, password: PASSWORD });
  expect(await scene.statusOf(tokenIn(signedIn))).toBe(200);
});

test('tokens of service accounts and of people whom no provider ever confirmed stay accepted', async () => {
  await using scene = await serveConfirmed();
  const { world, people } = scene;
  const { accountId, email } = people.admin;
  const input = { accountId, name: 'ERP', role: 'member', responsible: { email } } as const;
  const { user } = unwrap(await createServiceAccount(world)(inPerson(people.admin), input));
  const given = await apiToken(world, people.admin);
  unwrap(await giveToken(world)(inPerson(people.admin), { id: given.record.id, to: { id: user.id } }));
  const other = await givenPerson(world, { accountId, email: 'cy@acme.example' });
  const ofOther = await apiToken(world, other);
  world.clock.advance(31 * DAY);
  expect(await scene.statusOf(given.secret)).toBe(200);
  expect(await scene.statusOf(ofOther.secret)).toBe(200);
});

test('a service is told the end of the confirmation as that of the token, and nothing after it', async () => {
  await using scene = await serveConfirmed();
  const { world } = scene;
  const token = await apiToken(world, scene.people.admin, { scopes: ['orders:read'] });
  const end = Math.floor((world.clock.now() + 30 * DAY) / 1000);
  expect(await scene.introspected(token.secret)).toMatchObject({ active: true, exp: end });
  world.clock.advance(30 * DAY);
  expect(await scene.introspected(token.secret)).toEqual({ active: false });
  await scene.confirmAgain();
  expect(await scene.introspected(token.secret)).toMatchObject({
    active: true,
    exp: end + 30 * (DAY / 1000),
  });
});
