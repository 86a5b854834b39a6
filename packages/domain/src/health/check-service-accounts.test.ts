import { expect, test } from 'vitest';
import { anEvent, createWorld, givenAdmins, givenServiceAccount } from '../../testing/index.ts';
import { serviceAccountsCheck } from './check-service-accounts.ts';

test('service accounts without a responsible admin are named, five of many', async () => {
  const world = await createWorld();
  const [admin, other] = await givenAdmins(world);
  const { user } = await givenServiceAccount(world, other);
  await givenServiceAccount(world, admin);
  expect(await serviceAccountsCheck.run(world)).toEqual({ status: 'passed' });
  await world.users.setRole(other.id, 'member', () => anEvent());
  const code = 'service_accounts_unanswered';
  expect(await serviceAccountsCheck.run(world)).toEqual({
    status: 'failed',
    findings: [{ code, named: [{ id: user.id, name: 'ERP' }], more: false }],
  });
  await world.users.setRole(other.id, 'admin', () => anEvent());
  for (let index = 0; index < 5; index += 1) await givenServiceAccount(world, other);
  await world.users.setRole(other.id, 'member', () => anEvent());
  expect(await serviceAccountsCheck.run(world)).toMatchObject({
    findings: [{ named: { length: 5 }, more: true }],
  });
});
