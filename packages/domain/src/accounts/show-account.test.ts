import { beforeEach, expect, test } from 'vitest';
import {
  createWorldWithAdmins,
  givenAccount,
  givenOrganization,
  givenToken,
  givenUser,
  inPerson,
  OPERATOR,
  unwrap,
  type World,
} from '../../testing/index.ts';
import { err, ok } from '../result.ts';
import type { User } from '../users/user.ts';
import { listNamesakes, showAccount } from './show-account.ts';

let world: World;
let ada: User;
let ben: User;

beforeEach(async () => {
  ({ world, ada } = await createWorldWithAdmins());
  ben = await givenUser(world, ada.accountId, { role: 'member' });
});

test('an account is shown to its admins, its members and the operator, with its admins and its use', async () => {
  await givenToken(world, ada);
  await givenOrganization(world, ada.accountId);
  const { accountId: id } = ada;
  const account = await world.accounts.findById(id);
  for (const caller of [OPERATOR, inPerson(ada), inPerson(ben)]) {
    expect(await showAccount(world)(caller, { id, limit: 1 })).toEqual(
      ok({
        account,
        use: { activeUsers: 1, apiTokens: 1, organizations: 1 },
        admins: [{ id: ada.id, name: ada.name, email: ada.email }],
        moreAdmins: false,
      }),
    );
  }
});

test('at most twenty admins are shown, and whether there are more', async () => {
  for (let count = 0; count < 20; count += 1) await givenUser(world, ada.accountId);
  const shown = unwrap(await showAccount(world)(OPERATOR, { id: ada.accountId, limit: 9 }));
  expect(shown).toMatchObject({ admins: { length: 20 }, moreAdmins: true, use: { activeUsers: 9 } });
});

test('an account of others is as unknown to a user as one that does not exist', async () => {
  const other = await givenAccount(world, 'Bolt');
  const show = (id: number) => showAccount(world)(inPerson(ada), { id: id as typeof other.id, limit: 9 });
  expect(await show(other.id)).toEqual(err({ code: 'account_not_found' }));
  expect(await show(other.id)).toEqual(await show(999));
});

test('accounts of one name are listed to the operator alone', async () => {
  const [one, two] = [await givenAccount(world, 'Bolt'), await givenAccount(world, 'Bolt')];
  expect(await listNamesakes(world)(OPERATOR, one)).toEqual(ok([two]));
  expect(await listNamesakes(world)(OPERATOR, { id: one.id, name: 'Nut' })).toEqual(ok([]));
  expect(await listNamesakes(world)(inPerson(ada), one)).toEqual(err({ code: 'not_allowed' }));
});
