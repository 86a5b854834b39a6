import { beforeEach, expect, test } from 'vitest';
import { createWorldWithAdmins, givenUser, inPerson, OPERATOR, type World } from '../../testing/index.ts';
import { err, ok } from '../result.ts';
import { disableUser } from './change-users.ts';
import { renameSelf } from './rename-self.ts';
import type { User } from './user.ts';

let world: World;
let ben: User;

beforeEach(async () => {
  const { world: made, ada } = await createWorldWithAdmins();
  world = made;
  ben = await givenUser(world, ada.accountId, { role: 'member' });
});

const nameOf = async () => (await world.users.findById(ben.id))?.name;

test('users change their own name, with an event that has both names', async () => {
  const renamed = await renameSelf(world)(inPerson(ben), { name: 'Ben Byte' });
  expect(renamed).toEqual(ok({ user: { ...ben, name: 'Ben Byte' }, already: false }));
  const [{ event } = { event: undefined }] = await world.audit.list({ limit: 1 });
  expect(event).toMatchObject({
    action: 'user.renamed',
    subject: { type: 'user', id: String(ben.id) },
    accountId: ben.accountId,
    actor: { kind: 'user', id: ben.id },
    details: { email: ben.email, name: 'Ben Byte', former_name: ben.name },
  });
});

test('a token and a disabled user change no name, and an invalid name is refused', async () => {
  const caller = inPerson(ben);
  const rename = renameSelf(world);
  expect(await rename({ ...caller, scopes: ['*'] }, { name: 'Eve' })).toEqual(err({ code: 'not_allowed' }));
  expect(await rename(caller, { name: ' ' })).toMatchObject({ error: { problems: [{ field: 'name' }] } });
  await disableUser(world)(OPERATOR, { email: ben.email, reason: null, transferTo: null });
  expect(await rename(caller, { name: 'Eve' })).toEqual(err({ code: 'user_not_found' }));
  expect(await nameOf()).toBe(ben.name);
});
