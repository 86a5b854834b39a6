import { A_SETTLEMENT_AUDIT, aSettlement, decideFor } from '@gatehouse/domain/testing';
import { createVisitor } from '@gatehouse/pages/testing';
import { expect, test } from 'vitest';
import { OPERATOR } from '../../testing/postgres-server.ts';
import { attempt } from '../../testing/sign-in-attempt.ts';
import { startTestServer } from '../../testing/start-test-server.ts';

const ADDRESS = '192.0.2.7';

test('passwords go off once an admin signs in with a provider, and an operator opens one for the pages', async () => {
  const settings = { PASSWORD_SIGN_IN: 'break-glass', TRUST_PROXY: '127.0.0.1' };
  await using served = await startTestServer({ database: 'postgres', settings });
  const { admin, member } = served.demo;
  const { repositories, useCases } = served.container.services;
  const byApi = async ({ email, password }: typeof admin) =>
    (await attempt(served, { email, password }, ADDRESS)).status;
  const onPage = async ({ email, password }: typeof admin) =>
    (await createVisitor(served.url).signIn({ email, password })).status;
  expect([await byApi(admin), await byApi(member)]).toEqual([200, 200]);

  const user = await repositories.users.findByEmail(admin.email);
  if (!user) throw new Error('no admin');
  const settlement = aSettlement();
  const person = { ...settlement.person, email: user.email };
  await repositories.identities.settle({ ...settlement, person }, decideFor(user), A_SETTLEMENT_AUDIT);
  expect([await byApi(admin), await byApi(member)]).toEqual([401, 401]);
  expect(await onPage(admin)).toBe(401);

  const { email } = admin;
  expect(await useCases.armUser(OPERATOR, { email, forMs: 3_600_000 })).toMatchObject({ ok: true });
  expect([await onPage(admin), await onPage(member), await byApi(admin)]).toEqual([200, 401, 401]);
  expect(await useCases.disarmUser(OPERATOR, { email })).toMatchObject({ ok: true });
  expect(await onPage(admin)).toBe(401);
});
