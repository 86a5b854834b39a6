import { beforeEach, describe, expect, test, vi } from 'vitest';
import {
  allPages,
  anEvent,
  createWorldWithAdmins,
  givenPerson,
  givenToken,
  givenUser,
  OPERATOR,
  PASSWORD,
  START,
  unwrap,
  type World,
} from '../../testing/index.ts';
import { err, ok } from '../result.ts';
import { addMilliseconds } from '../time/instant.ts';
import { actAs } from './act-as.ts';
import { disableUser, enableUser, findLiveTokens, setRole } from './change-users.ts';
import { emailKey } from './email.ts';
import { type CreateUserInput, createUser, findUser, listUsers, setPassword } from './manage-users.ts';
import type { User } from './user.ts';

const UNKNOWN = 'nobody@acme.example';

describe('users', () => {
  let world: World;
  let ada: User;
  let bo: User;

  beforeEach(async () => {
    ({ world, ada } = await createWorldWithAdmins());
    bo = await givenPerson(world, { accountId: ada.accountId, email: 'Bo@acme.example' });
  });

  const newestEvent = async () => (await world.audit.list({ limit: 1 }))[0]?.event;
  const disable = (email: string, parts: { reason?: string; transferTo?: string } = {}) =>
    disableUser(world)(OPERATOR, { email, reason: null, transferTo: null, ...parts });

  test('are looked up before anything is validated or hashed', async () => {
    const hash = vi.spyOn(world.passwords, 'hash');
    const calls = [
      findUser(world)(OPERATOR, UNKNOWN),
      findLiveTokens(world)(OPERATOR, { email: UNKNOWN, limit: 9 }),
      disable(UNKNOWN, { reason: 'x'.repeat(501), transferTo: UNKNOWN }),
      enableUser(world)(OPERATOR, { email: UNKNOWN }),
      setRole(world)(OPERATOR, { email: UNKNOWN, role: 'member' }),
      setPassword(world)(OPERATOR, { email: UNKNOWN, password: 'x' }),
    ];
    for (const call of calls) expect(await call).toEqual(err({ code: 'user_not_found' }));
    expect(hash).not.toHaveBeenCalled();
    expect(await findUser(world)(OPERATOR, 'BO@ACME.example')).toEqual(ok(bo));
  });

  test('who are disabled lose their tokens, whose records have the reason', async () => {
    const token = await givenToken(world, bo);
    const disabled = await disable('bo@acme.example', { reason: 'left' });
    expect(disabled).toMatchObject(ok({ user: { disabledAt: START }, already: false, revoked: 1 }));
    expect((await world.tokens.findRecord(token.id))?.revocation).toMatchObject({
      by: { kind: 'operator', name: OPERATOR.name },
      reason: 'the user was disabled: left',
    });
    expect(await newestEvent()).toMatchObject({ action: 'token.revoked', accountId: bo.accountId });
    const events = (await world.audit.list({ limit: 2 })).map(({ event }) => event);
    expect(events).toContainEqual(
      expect.objectContaining({
        action: 'user.disabled',
        subject: { type: 'user', id: String(bo.id) },
        details: { email: 'Bo@acme.example', reason: 'left' },
      }),
    );
    expect(await disable('ada@acme.example')).toEqual(err({ code: 'last_admin' }));
    expect(await disable('bo@acme.example', { reason: 'x'.repeat(501) })).toMatchObject({
      error: { code: 'invalid_input', problems: [{ field: 'reason' }] },
    });
  });

  test('who are disabled can transfer their API tokens to another admin, given by email', async () => {
    const token = await givenToken(world, bo, { name: 'ERP' });
    for (const unfit of [UNKNOWN, 'bo@acme.example']) {
      expect(await disable('bo@acme.example', { transferTo: unfit })).toEqual(
        err({ code: 'transfer_target_not_fit' }),
      );
    }
    const disabled = await disable('bo@acme.example', { transferTo: 'ADA@acme.example' });
    expect(disabled).toMatchObject(ok({ transferred: 1, revoked: 0 }));
    expect((await world.tokens.findRecord(token.id))?.user.id).toBe(ada.id);
    expect(await newestEvent()).toMatchObject({
      action: 'user.disabled',
      details: { tokens_to: 'ada@acme.example', reason: null },
    });
  });

  test('are shown with the tokens that would end: API tokens first, up to the limit', async () => {
    const cy = await givenUser(world, bo.accountId, { email: 'cy@acme.example' });
    const signIn = await givenToken(world, cy, { kind: 'sign-in' });
    const erp = await givenToken(world, cy, { expiresAt: addMilliseconds(START, 1000) });
    const wiki = await givenToken(world, cy);
    await givenToken(world, cy, { expiresAt: START });
    await givenToken(world, ada);
    const live = async (limit: number) => {
      const found = await findLiveTokens(world)(OPERATOR, { email: cy.email, limit });
      return found.ok ? found.value.tokens.map((token) => token.id) : found.error.code;
    };
    expect(await live(9)).toEqual([erp.id, wiki.id, signIn.id]);
    expect(await live(1)).toEqual([erp.id]);
    // They would work again once the account is resumed, so they are revoked, too.
    await world.accounts.suspend(cy.accountId, START, anEvent());
    expect(await live(9)).toEqual([erp.id, wiki.id, signIn.id]);
    world.clock.advance(1000);
    expect(await live(2)).toEqual([wiki.id, signIn.id]);
  });

  test('who are enabled can sign in again', async () => {
    await disable('bo@acme.example');
    expect(await enableUser(world)(OPERATOR, { email: 'bo@acme.example' })).toEqual(
      ok({ user: bo, already: false }),
    );
    expect(await newestEvent()).toMatchObject({
      action: 'user.enabled',
      subject: { type: 'user', id: String(bo.id) },
      details: { email: 'Bo@acme.example' },
    });
    expect(await enableUser(world)(OPERATOR, { email: 'bo@acme.example' })).toMatchObject(
      ok({ already: true }),
    );
  });

  test('get another role unless the account would have no active admin', async () => {
    const set = (email: string, role: 'admin' | 'member') => setRole(world)(OPERATOR, { email, role });
    expect(await set('bo@acme.example', 'member')).toMatchObject(
      ok({ user: { role: 'member' }, already: false }),
    );
    expect(await newestEvent()).toMatchObject({
      action: 'user.role_set',
      details: { email: 'Bo@acme.example', from: 'admin', to: 'member' },
    });
    expect(await set('bo@acme.example', 'member')).toMatchObject(ok({ already: true }));
    expect(await set('ada@acme.example', 'member')).toEqual(err({ code: 'last_admin' }));
    expect(await set('bo@acme.example', 'admin')).toMatchObject(ok({ user: { role: 'admin' } }));
    expect(await set('ada@acme.example', 'member')).toMatchObject(ok({ already: false }));
  });

  test('get another password that the policy accepts, and the old one stops working', async () => {
    const set = (password: string) => setPassword(world)(OPERATOR, { email: 'bo@acme.example', password });
    expect(await set('short')).toMatchObject({ error: { problems: [{ field: 'password' }] } });
    expect(await set('some longer words')).toEqual(ok({ user: bo, signedOut: 0 }));
    const details = { email: 'Bo@acme.example' };
    expect(await newestEvent()).toMatchObject({ action: 'user.password_set', details });
    const credentials = await world.users.findCredentials(emailKey(bo.email));
    const isTheirs = (password: string) => world.passwords.verify(password, credentials?.passwordHash);
    expect(await isTheirs('some longer words')).toEqual(ok(true));
    expect(await isTheirs(PASSWORD)).toEqual(ok(false));
  });

  test('cannot have a password that contains the local part of the email', async () => {
    const { email } = await givenUser(world, bo.accountId, { email: 'grace@acme.example' });
    const refused = await setPassword(world)(OPERATOR, { email, password: 'my name is Grace today' });
    expect(refused).toMatchObject({ error: { problems: [{ field: 'password' }] } });
  });

  describe('that are created', () => {
    const create = (parts: Partial<CreateUserInput> = {}) => {
      const input = { email: 'cy@acme.example', name: 'Cy', role: 'admin', password: PASSWORD } as const;
      return createUser(world)(OPERATOR, { accountId: ada.accountId, ...input, ...parts });
    };

    test('are listed with their account', async () => {
      const created = unwrap(await create());
      expect(created).toMatchObject({ email: 'cy@acme.example', role: 'admin', disabledAt: null });
      const listed = unwrap(await listUsers(world)(OPERATOR, { accountId: ada.accountId }));
      expect(await allPages(listed)).toEqual([[ada, bo, created]]);
    });

    test('have every wrong field named at once, and are not stored', async () => {
      const wrong = (...fields: readonly string[]) => ({
        error: { problems: fields.map((field) => ({ field })) },
      });
      const before = await world.users.list({ limit: 9 });
      expect(await create({ email: 'ada', name: '', password: 'x' })).toMatchObject(wrong('email', 'name'));
      expect(await create({ name: ' ', password: 'short' })).toMatchObject(wrong('name', 'password'));
      expect(await world.users.list({ limit: 9 })).toEqual(before);
    });

    test('need an account that exists, and an email that is free', async () => {
      const unknown = 999 as CreateUserInput['accountId'];
      expect(await create({ accountId: unknown })).toEqual(err({ code: 'account_not_found' }));
      expect(await create({ email: 'ADA@acme.example' })).toEqual(err({ code: 'email_taken' }));
    });
  });

  test('act by commands only as an active admin of an account that is not suspended', async () => {
    await givenUser(world, ada.accountId, { email: 'm@acme.example', role: 'member' });
    const act = (email: string) => actAs(world)(email, OPERATOR);
    expect(await act('ADA@acme.example')).toMatchObject(
      ok({ userId: ada.id, origin: OPERATOR.origin, operator: OPERATOR.name }),
    );
    const notAllowed = err({ code: 'not_allowed' });
    expect(await act('m@acme.example')).toEqual(notAllowed);
    expect(await act(UNKNOWN)).toEqual(notAllowed);
    await disable('bo@acme.example');
    expect(await act('bo@acme.example')).toEqual(notAllowed);
    await world.accounts.suspend(ada.accountId, START, anEvent());
    expect(await act('ada@acme.example')).toEqual(notAllowed);
  });
});
