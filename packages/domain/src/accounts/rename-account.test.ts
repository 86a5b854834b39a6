import { beforeEach, expect, test } from 'vitest';
import {
  createWorldWithAdmins,
  givenAccount,
  givenUser,
  inPerson,
  OPERATOR,
  type World,
} from '../../testing/index.ts';
import type { Operator, Principal } from '../access/index.ts';
import { err, ok } from '../result.ts';
import { setRole } from '../users/change-users.ts';
import type { User } from '../users/user.ts';
import { renameAccount } from './rename-account.ts';

let world: World;
let ada: User;
let bo: User;

beforeEach(async () => {
  ({ world, ada } = await createWorldWithAdmins());
  bo = await givenUser(world, ada.accountId);
});

const rename = (caller: Principal | Operator, name = 'Acme Works', id = ada.accountId) =>
  renameAccount(world)(caller, { id, name });
const nameOf = async () => (await world.accounts.findById(ada.accountId))?.name;

test('the operator and an admin rename an account, with an event that has both names', async () => {
  expect(await rename(OPERATOR)).toMatchObject(ok({ account: { name: 'Acme Works' }, already: false }));
  expect(await rename(inPerson(ada))).toMatchObject(ok({ already: true }));
  expect(await rename(inPerson(ada), 'Acme Group')).toMatchObject(ok({ already: false }));
  const [{ event } = { event: undefined }] = await world.audit.list({ limit: 1 });
  expect(event).toMatchObject({
    action: 'account.renamed',
    subject: { type: 'account', id: String(ada.accountId) },
    accountId: ada.accountId,
    actor: { kind: 'user', id: ada.id },
    details: { name: 'Acme Group', former_name: 'Acme Works' },
  });
});

test('a member, a token, and an admin of another account rename nothing', async () => {
  const before = await nameOf();
  const ben = await givenUser(world, ada.accountId, { role: 'member' });
  const eve = await givenUser(world, (await givenAccount(world)).id);
  expect(await rename(inPerson(ben))).toEqual(err({ code: 'not_allowed' }));
  expect(await rename({ ...inPerson(ada), scopes: ['*'] })).toEqual(err({ code: 'not_allowed' }));
  expect(await rename(inPerson(eve))).toEqual(err({ code: 'account_not_found' }));
  expect(await nameOf()).toBe(before);
});

test('an admin who became a member after the request began renames nothing', async () => {
  const [before, caller] = [await nameOf(), inPerson(ada)];
  await setRole(world)(OPERATOR, { email: ada.email, role: 'member' });
  expect(await rename(caller)).toEqual(err({ code: 'not_allowed' }));
  expect(await nameOf()).toBe(before);
  expect(await rename(inPerson(bo))).toMatchObject({ ok: true });
});

test('an invalid name is refused', async () => {
  for (const name of ['', ' Acme', 'a\u0000b', 'x'.repeat(201)]) {
    expect(await rename(OPERATOR, name)).toMatchObject({ error: { problems: [{ field: 'name' }] } });
  }
});
