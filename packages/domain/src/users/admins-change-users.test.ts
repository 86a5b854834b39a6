import { beforeEach, describe, expect, test } from 'vitest';
import {
  createWorldWithAdmins,
  givenMember,
  givenOrganization,
  givenSession,
  givenToken,
  givenUser,
  inPerson,
  OPERATOR,
  START,
  unwrap,
  type World,
} from '../../testing/index.ts';
import { err, ok } from '../result.ts';
import { endUserSessions } from '../sessions/end-user-sessions.ts';
import { disableUser, enableUser, findLiveTokens, setRole } from './change-users.ts';
import { listAccountUsers } from './lists/list-account-users.ts';
import { showUser } from './show-user.ts';
import type { User } from './user.ts';

const REVOKE = { reason: null, transferTo: null };

let world: World;
let ada: User;
let bo: User;
let eve: User;

beforeEach(async () => {
  ({ world, ada, eve } = await createWorldWithAdmins());
  bo = await givenUser(world, ada.accountId, { role: 'member', email: 'bo@acme.example' });
});

const newestEvent = async () => (await world.audit.list({ limit: 1 }))[0]?.event;

/** Every use case about one user, by an admin in person. */
const about = (admin: User, { id }: Pick<User, 'id'>) => {
  const caller = inPerson(admin);
  return {
    show: () => showUser(world)(caller, { id }),
    findLiveTokens: () => findLiveTokens(world)(caller, { id, limit: 9 }),
    setRole: () => setRole(world)(caller, { id, role: 'admin' }),
    endSessions: () => endUserSessions(world)(caller, { id }),
    disable: () => disableUser(world)(caller, { id, ...REVOKE }),
    enable: () => enableUser(world)(caller, { id }),
  } as const;
};

describe('an admin changes the users of the account,', () => {
  test.each(['show', 'findLiveTokens', 'setRole', 'endSessions', 'disable', 'enable'] as const)(
    'but another account’s user is not found, and a member may not: %s',
    async (name) => {
      const before = await newestEvent();
      const unknown = { id: 999_999 as User['id'] };
      const notFound = err({ code: 'user_not_found' });
      expect(await about(eve, bo)[name]()).toEqual(notFound);
      expect(await about(ada, unknown)[name]()).toEqual(notFound);
      expect(await about(bo, ada)[name]()).toEqual(err({ code: 'not_allowed' }));
      expect(await newestEvent()).toEqual(before);
      expect(await about(ada, bo)[name]()).toMatchObject({ ok: true });
    },
  );

  test('is the actor of each event, and is asked for again when the change is made', async () => {
    await about(ada, bo).setRole();
    const by = { actor: { kind: 'user', id: ada.id }, subject: { type: 'user', id: String(bo.id) } };
    expect(await newestEvent()).toMatchObject({ action: 'user.role_set', ...by });
    unwrap(await setRole(world)(OPERATOR, { email: ada.email, role: 'member' }));
    // The request of the former admin began before.
    for (const name of ['setRole', 'endSessions', 'disable', 'enable'] as const)
      expect(await about(ada, bo)[name]()).toEqual(err({ code: 'not_allowed' }));
  });

  test('names who receives the tokens, who is an admin of the account', async () => {
    const cy = await givenUser(world, ada.accountId);
    const token = await givenToken(world, cy);
    const give = (transferTo: string) =>
      disableUser(world)(inPerson(ada), { id: cy.id, reason: null, transferTo });
    for (const unfit of [eve.email, bo.email, cy.email, 'unknown@acme.example'])
      expect(await give(unfit)).toEqual(err({ code: 'transfer_target_not_fit' }));
    expect(await give(ada.email)).toMatchObject(ok({ transferred: 1, revoked: 0 }));
    expect((await world.tokens.findRecord(token.id))?.userId).toBe(ada.id);
  });

  test('an address of another account is no receiver, and the repository is not asked', async () => {
    const cy = await givenUser(world, ada.accountId);
    let asked = 0;
    const users: World['users'] = {
      ...world.users,
      disable: (...parts) => {
        asked += 1;
        return world.users.disable(...parts);
      },
    };
    for (const transferTo of [eve.email, 'unknown@acme.example'])
      expect(
        await disableUser({ ...world, users })(inPerson(ada), { id: cy.id, reason: null, transferTo }),
      ).toEqual(err({ code: 'transfer_target_not_fit' }));
    expect(asked).toBe(0);
  });

  test('ends sessions, and tokens keep working', async () => {
    const cy = await givenUser(world, ada.accountId);
    for (const user of [bo, cy]) await givenSession(world, user);
    const token = await givenToken(world, bo, { kind: 'sign-in' });
    expect(await about(ada, bo).endSessions()).toEqual(ok({ user: bo, ended: 1 }));
    expect(await newestEvent()).toMatchObject({
      action: 'session.ended',
      accountId: ada.accountId,
      details: { reason: 'all sessions of bo@acme.example were ended' },
    });
    expect((await world.tokens.findRecord(token.id))?.revocation).toBeNull();
    expect(unwrap(await about(ada, cy).show()).sessions).toHaveLength(1);
  });

  test('sees tokens, sessions and organizations of a user; so does an operator, by the address', async () => {
    const { id, name } = await givenOrganization(world, ada.accountId);
    const cy = await givenUser(world, ada.accountId, { email: 'cy@acme.example' });
    await givenMember(world, id, cy.id);
    await givenToken(world, cy);
    await givenSession(world, cy);
    const shown = await about(ada, cy).show();
    expect(shown).toMatchObject(
      ok({
        user: cy,
        lastSignInAt: null,
        tokens: { count: 1, more: false },
        organizations: [{ id, name }],
        moreOrganizations: false,
        sessions: [{ userId: cy.id, createdAt: START }],
      }),
    );
    expect(await showUser(world)(OPERATOR, { email: 'CY@acme.example' })).toEqual(shown);
  });
});

describe('pages of an account’s users', () => {
  const list = async (input?: Parameters<ReturnType<typeof listAccountUsers>>[1], admin = ada) =>
    unwrap(await listAccountUsers(world)(inPerson(admin), input));

  test('are of the caller’s account, for admins only', async () => {
    expect((await list()).users.map(({ user }) => user)).toEqual([ada, bo]);
    expect((await list({ search: 'bo@' })).users.map(({ user }) => user)).toEqual([bo]);
    expect((await list({ search: '' }, eve)).users.map(({ user }) => user)).toEqual([eve]);
    for (const caller of [inPerson(bo), OPERATOR])
      expect(await listAccountUsers(world)(caller)).toEqual(err({ code: 'not_allowed' }));
  });

  test('have fifty users, lead forward and back, and begin anew beyond the end', async () => {
    for (let index = 0; index < 60; index += 1) await givenUser(world, ada.accountId);
    const first = await list({ order: 'newest' });
    expect([first.users.length, first.total, first.previous]).toEqual([
      50,
      { count: 62, more: false },
      undefined,
    ]);
    const second = await list({ order: 'newest', cursor: first.next });
    expect([second.users.length, second.next]).toEqual([12, undefined]);
    expect((await list({ order: 'newest', cursor: second.previous })).users).toEqual(first.users);
    const last = second.users.at(-1)?.user ?? expect.fail();
    expect(await list({ order: 'newest', cursor: { after: { value: '', id: last.id } } })).toEqual(first);
  });
});
