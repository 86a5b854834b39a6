import { expect, test } from 'vitest';
import { createWorldWithAdmins, givenUser, inPerson, unwrap } from '../../testing/index.ts';
import { err } from '../result.ts';
import { listAdmins } from './list-admins.ts';

test('members and admins are told who the admins of their account are, at most twenty', async () => {
  const { world, ada } = await createWorldWithAdmins();
  const ben = await givenUser(world, ada.accountId, { role: 'member' });
  const list = listAdmins(world);
  const named = { id: ada.id, name: ada.name, email: ada.email };
  for (const user of [ada, ben]) {
    expect(unwrap(await list(inPerson(user)))).toEqual({ admins: [named], more: false });
  }
  for (let count = 0; count < 19; count += 1) await givenUser(world, ada.accountId);
  expect(unwrap(await list(inPerson(ben)))).toMatchObject({ admins: { length: 20 }, more: false });
  await givenUser(world, ada.accountId);
  expect(unwrap(await list(inPerson(ben)))).toMatchObject({ admins: { length: 20 }, more: true });
});

test('no token is told: emails of admins are for people', async () => {
  const { world, ada } = await createWorldWithAdmins();
  const caller = { ...inPerson(ada), scopes: ['*'] } as const;
  expect(await listAdmins(world)(caller)).toEqual(err({ code: 'not_allowed' }));
});
