import { anEvent, aRevocation, GOOD, givenPerson } from '@gatehouse/domain/testing';
import type { User } from '@gatehouse/domain/users';
import type { PageScene as Scene } from '../serve-pages.ts';
import type { Typed } from '../visitor.ts';
import { type Fill, type FormsOfPages, headersOf } from './sent-form.ts';

/** A form about a user. @param under the rest of the path after that of the user's page */
function userForm(
  under: string,
  button: string,
  typed: Typed = {},
  find: (scene: Scene) => Promise<User> = async ({ people }) => people.member,
): Fill {
  return async (scene) => {
    const { id } = await find(scene);
    const visitor = await scene.signedIn();
    const path = `/settings/users/${id}${under}`;
    const values = (await visitor.get(path)).fill(button, typed);
    return { visitor, path, values, headers: headersOf(scene), button, done: 303 };
  };
}

/** Returns the disabled user of the scene. */
async function disabledUser({ world, people }: Scene): Promise<User> {
  const email = 'gone@acme.example';
  const known = await world.users.findByEmail(email);
  const user = known ?? (await givenPerson(world, { accountId: people.account.id, email, role: 'member' }));
  await world.users.disable(user.id, aRevocation(), anEvent({ action: 'user.disabled' }));
  return user;
}

/** Returns the member of the scene, who is signed in. */
async function signedInMember({ people, signedIn }: Scene): Promise<User> {
  await signedIn({ ...GOOD, email: people.member.email });
  return people.member;
}

/** The forms with which an admin changes the users of the account. */
export const USERS_FORMS: FormsOfPages = {
  'making a member an admin': userForm('/role', 'Make admin'),
  'disabling a user': userForm('/disable', 'Disable user', { Reason: 'left' }),
  'enabling a user': userForm('/enable', 'Enable user', {}, disabledUser),
  'ending the sessions of a user': userForm('', 'End all sessions', {}, signedInMember),
};
