import { beforeEach, describe, expect, test } from 'vitest';
import {
  allPages,
  createWorld,
  givenAccount,
  givenPerson,
  inPerson,
  OPERATOR,
  PASSWORD,
  unwrap,
  type World,
} from '../../testing/index.ts';
import type { Account } from '../accounts/account.ts';
import { err } from '../result.ts';
import { actAs } from './act-as.ts';
import { type CreateUserInput, createUser, listUsers } from './manage-users.ts';

describe('createUser', () => {
  let world: World;
  let account: Account;

  beforeEach(async () => {
    world = await createWorld();
    account = await givenAccount(world);
  });

  const create = (parts: Partial<CreateUserInput> = {}) =>
    createUser(world)(OPERATOR, {
      accountId: account.id,
      email: 'ada@acme.example',
      name: 'Ada',
      role: 'admin',
      password: PASSWORD,
      ...parts,
    });

  test('the operator creates users, and no one else', async () => {
    const created = unwrap(await create());
    expect(created).toMatchObject({ email: 'ada@acme.example', role: 'admin', disabledAt: null });
    const listed = unwrap(await listUsers(world)(OPERATOR, { accountId: account.id }));
    expect(await allPages(listed)).toEqual([[created]]);
    const byAdmin = createUser(world)(inPerson(created), { ...created, password: PASSWORD });
    expect(await byAdmin).toEqual(err({ code: 'not_allowed' }));
  });

  test('every wrong field is named at once, and nothing is stored', async () => {
    const refused = await create({ email: 'ada', name: '', password: 'x' });
    expect(refused).toMatchObject({ error: { problems: [{ field: 'email' }, { field: 'name' }] } });
    expect(await create({ name: ' ', password: 'short' })).toMatchObject({
      error: { problems: [{ field: 'name' }, { field: 'password' }] },
    });
    expect(await world.users.list({ limit: 9 })).toEqual([]);
  });

  test('an unknown account and a taken email are refused', async () => {
    expect(await create({ accountId: 999 as Account['id'] })).toEqual(err({ code: 'account_not_found' }));
    await create();
    expect(await create({ email: 'ADA@acme.example' })).toEqual(err({ code: 'email_taken' }));
  });

  test('commands act only for an active admin of an account that is not suspended', async () => {
    const admin = await givenPerson(world, { accountId: account.id, email: 'a@acme.example' });
    await givenPerson(world, { accountId: account.id, email: 'm@acme.example', role: 'member' });
    const act = (email: string) => actAs(world)(email, 'here');
    expect(await act('A@acme.example')).toMatchObject({
      ok: true,
      value: { userId: admin.id, origin: 'here' },
    });
    const notAllowed = err({ code: 'not_allowed' });
    expect(await act('m@acme.example')).toEqual(notAllowed);
    expect(await act('nobody@acme.example')).toEqual(notAllowed);
    await world.accounts.suspend(account.id, world.clock.now(), {} as never);
    expect(await act('a@acme.example')).toEqual(notAllowed);
  });
});
