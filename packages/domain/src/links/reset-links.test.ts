import { beforeEach, expect, test } from 'vitest';
import {
  ADDRESS,
  CHOSEN,
  createLinksScene,
  inPerson,
  type LinksScene,
  OPERATOR,
  PASSWORD,
  unwrap,
} from '../../testing/index.ts';
import { err } from '../result.ts';
import { openSession } from '../sessions/open-session.ts';
import { disableUser, setRole } from '../users/change-users.ts';
import { setPassword } from '../users/manage-users.ts';
import type { User } from '../users/user.ts';
import { RESET_LINK_MS } from './reset-link.ts';

const DEAD = err({ code: 'link_not_accepted' });

let scene: LinksScene;
beforeEach(async () => {
  scene = await createLinksScene();
});

const link = async (maker: User | typeof OPERATOR, { id }: User) => {
  const made = await scene.createLink('email' in maker ? inPerson(maker) : maker, { id });
  return unwrap(made).code;
};
const roleOf = ({ email }: User, role: User['role']) =>
  setRole(scene.world)(OPERATOR, { email, role }).then(unwrap);

test('a user sets a new password once by a link, which ends all sessions, and is told who made it', async () => {
  const { ada, mia, reset, openReset, events, world } = scene;
  const session = await openSession(world)({
    email: mia.email,
    password: PASSWORD,
    address: ADDRESS,
    userAgent: null,
  });
  const code = await link(ada, mia);
  expect(await openReset(code)).toMatchObject({ value: { user: mia, link: { madeBy: ada.id } } });
  expect(await reset(code)).toEqual({ ok: true, value: mia });
  const secretHash = world.sessionSecrets.hashOf(unwrap(session).secret);
  expect(await world.sessions.find(secretHash)).toBeUndefined();
  const signIn = (password: string) =>
    openSession(world)({ email: mia.email, password, address: ADDRESS, userAgent: null });
  expect((await signIn(PASSWORD)).ok).toBe(false);
  expect((await signIn(CHOSEN)).ok).toBe(true);
  expect(await reset(code)).toEqual(DEAD);
  expect(await world.resetLinks.findLastReset(mia.id)).toEqual({ at: world.clock.now(), madeBy: ada.email });
  expect((await events(3)).slice(0, 2)).toMatchObject([
    { action: 'user.reset_link_created', actor: { kind: 'user', id: ada.id }, details: { email: mia.email } },
    { action: 'user.password_reset', actor: { kind: 'user', id: mia.id }, details: { link_by: ada.id } },
  ]);
});

test('every dead code has the same answer: unknown, expired, replaced, of a disabled user', async () => {
  const { ada, mia, reset, openReset, world } = scene;
  const replaced = await link(ada, mia);
  const expired = await link(ada, mia);
  world.clock.advance(RESET_LINK_MS);
  const ended = await link(ada, mia);
  unwrap(await disableUser(world)(OPERATOR, { email: mia.email, reason: null, transferTo: null }));
  const others = [world.linkCodes.create('reset').code, world.linkCodes.create('invitation').code, 'x'];
  for (const code of [replaced, expired, ended, ...others]) {
    expect(await openReset(code)).toEqual(DEAD);
    expect(await reset(code, 'short')).toEqual(DEAD);
  }
});

test('an admin makes no link for one who is or ever was an admin, and the operator does', async () => {
  const { ada, grace, mia, createLink, reset } = scene;
  const refused = err({ code: 'link_for_admin' });
  expect(await createLink(inPerson(ada), { id: grace.id })).toEqual(refused);
  expect(await createLink(inPerson(ada), { id: ada.id })).toEqual(refused);
  expect(await createLink({ ...inPerson(ada), operator: 'root' }, { id: grace.id })).toEqual(refused);
  await roleOf(grace, 'member');
  expect(await createLink(inPerson(ada), { id: grace.id })).toEqual(refused);
  expect(await reset(await link(OPERATOR, grace))).toMatchObject({ ok: true });
  expect(await createLink(inPerson(mia), { id: mia.id })).toEqual(err({ code: 'not_allowed' }));
});

test('a link for a member who was promoted meanwhile does nothing', async () => {
  const { ada, mia, reset } = scene;
  const code = await link(ada, mia);
  await roleOf(mia, 'admin');
  expect(await reset(code)).toEqual(DEAD);
  await roleOf(mia, 'member');
  expect(await reset(code)).toEqual(DEAD);
});

test('a link ends with another password, and with the rights of the admin who made it', async () => {
  const { ada, mia, reset, world } = scene;
  const first = await link(ada, mia);
  unwrap(await setPassword(world)(OPERATOR, { email: mia.email, password: PASSWORD }));
  expect(await reset(first)).toEqual(DEAD);
  const second = await link(ada, mia);
  await roleOf(ada, 'member');
  expect(await reset(second)).toEqual(DEAD);
  await roleOf(ada, 'admin');
  expect(await reset(second)).toEqual(DEAD);
});

test('a user of another account counts as absent', async () => {
  const { eve, mia, createLink } = scene;
  const absent = err({ code: 'user_not_found' });
  expect(await createLink(inPerson(eve), { id: mia.id })).toEqual(absent);
  expect(await createLink(inPerson(eve), { email: mia.email })).toEqual(absent);
  expect(await createLink(OPERATOR, { email: 'unknown@acme.example' })).toEqual(absent);
  expect(await createLink(OPERATOR, { email: mia.email })).toMatchObject({ value: { user: mia } });
});

test('a bad password is refused, and the link stays usable', async () => {
  const { ada, mia, reset } = scene;
  const code = await link(ada, mia);
  expect(await reset(code, 'short')).toMatchObject({ error: { problems: [{ field: 'password' }] } });
  expect((await reset(code)).ok).toBe(true);
});
