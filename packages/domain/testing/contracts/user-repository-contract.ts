import { describe, expect, test } from 'vitest';
import type { AccountId } from '../../src/accounts/index.ts';
import { err, ok } from '../../src/index.ts';
import { NO_SECOND_FACTOR } from '../../src/second-factor/index.ts';
import { addMilliseconds } from '../../src/time/index.ts';
import type { TokenId, TokenKind } from '../../src/tokens/index.ts';
import { type Email, emailKey, type PasswordHash, type User, type UserId } from '../../src/users/index.ts';
import {
  A_HASH,
  anEvent,
  aRevocation,
  givenAccount,
  givenAdmin,
  givenAdmins,
  givenToken,
  givenUser,
  START,
  unwrap,
} from '../fixtures.ts';
import type { OpenRepositories } from '../repositories.ts';
import { accountUsersContract } from './account-users-contract.ts';
import { actingAdminContract } from './acting-admin-contract.ts';
import { answeringUsersContract } from './answering-users-contract.ts';
import { isDeeplyFrozen } from './is-deeply-frozen.ts';
import { newestEvent, openRepositories } from './open-repositories.ts';
import { pagesOf } from './pages-of.ts';
import { tokenTransferContract } from './token-transfer-contract.ts';

const NOBODY = 999_999_999 as UserId;
/** A limit above the number of records in any test. */
const ALL = { limit: 10_000 };
const OTHER_HASH = '$test$other' as PasswordHash;

export function userRepositoryContract(name: string, open: OpenRepositories): void {
  tokenTransferContract(name, open);
  actingAdminContract(name, open);
  answeringUsersContract(name, open);
  accountUsersContract(name, open);

  describe(`${name} keeps the contract of UserRepository`, () => {
    const store = openRepositories(open);
    const newUser = (accountId: AccountId, email: string) => ({
      accountId,
      email: email as Email,
      name: 'Ada',
      role: 'member' as const,
      passwordHash: A_HASH,
      createdAt: START,
    });

    test('an inserted user is found by id, and by email however it is spelled', async () => {
      const { id: accountId } = await givenAccount(store());
      await givenUser(store(), accountId);
      const { passwordHash, ...given } = newUser(accountId, 'Ada.Byron@Acme.Example');
      const user = unwrap(
        await store().users.insert({ passwordHash, ...given }, ({ id }) => anEvent({ origin: `made ${id}` })),
      );
      expect(user).toEqual({ id: user.id, kind: 'person', ...given, disabledAt: null, confirmedUntil: null });
      const byId = await store().users.findById(user.id);
      expect(byId).toEqual(user);
      expect(byId).toSatisfy(isDeeplyFrozen);
      expect(await store().users.findById(NOBODY)).toBeUndefined();
      expect(await store().users.findByEmail(emailKey('aDA.bYRON@aCME.eXAMPLE'))).toEqual(user);
      expect((await newestEvent(store()))?.origin).toBe(`made ${user.id}`);
    });

    test('emails that differ only in case are one, over all accounts, beyond ASCII too', async () => {
      await givenUser(store(), (await givenAccount(store())).id, { email: 'Élise@acme.example' });
      const again = newUser((await givenAccount(store())).id, 'éLISE@ACME.example');
      const before = await newestEvent(store());
      const inserted = await store().users.insert(again, () => anEvent({ origin: 'x' }));
      expect(inserted).toEqual(err({ code: 'email_taken' }));
      expect(await newestEvent(store())).toEqual(before);
    });

    test('an email is found in any case, width and normal form, and taken in all of them', async () => {
      const { id: accountId } = await givenAccount(store());
      const user = await givenUser(store(), accountId, { email: 'J\u030coeß@acme.example' });
      for (const email of [
        '\u01f0oeSS@acme.example',
        'J\u030cOEẞ@ACME.EXAMPLE',
        '\uff2a\u030coeß@acme.example',
      ]) {
        expect(await store().users.findByEmail(email)).toEqual(user);
        expect((await store().users.findCredentials(email))?.user).toEqual(user);
        const inserted = await store().users.insert(newUser(accountId, email), () => anEvent());
        expect(inserted).toEqual(err({ code: 'email_taken' }));
      }
      expect(await store().users.listStrayEmails(9)).toEqual([]);
    });

    test('a user of an unknown account is refused', async () => {
      const user = newUser(NOBODY as number as AccountId, 'no@acme.example');
      const inserted = await store().users.insert(user, () => anEvent());
      expect(inserted).toEqual(err({ code: 'account_not_found' }));
    });

    test('credentials come with user, account and hash; an unknown email has none', async () => {
      const account = await givenAccount(store());
      const user = await givenUser(store(), account.id);
      const credentials = await store().users.findCredentials(emailKey(user.email));
      expect(credentials).toEqual({
        user,
        account,
        passwordHash: A_HASH,
        passwordForm: 'normal',
        secondFactor: NO_SECOND_FACTOR,
      });
      expect(credentials).toSatisfy(isDeeplyFrozen);
      expect(await store().users.findCredentials(emailKey('nobody@acme.example'))).toBeUndefined();
      expect(await store().users.findByEmail(emailKey('nobody@acme.example'))).toBeUndefined();
    });

    test('users are listed by id, of one account or of all, page by page', async () => {
      const users = await givenAdmins(store());
      const [{ accountId }] = users;
      expect(await store().users.list({ accountId, ...ALL })).toEqual(users);
      const all = (await store().users.list(ALL)).map((user) => user.id);
      expect(all).toEqual(all.toSorted((a, b) => a - b));
      expect(all.length).toBeGreaterThan(users.length);
      expect(await pagesOf<User>((page) => store().users.list(page))).toHaveLength(all.length);
      expect(await pagesOf<User>((page) => store().users.list({ ...page, accountId }))).toEqual(users);
    });

    test('the admins of an account are listed by id, without those who are disabled', async () => {
      const [user, other] = await givenAdmins(store());
      const { accountId } = user;
      await givenUser(store(), accountId, { role: 'member' });
      const disabled = await givenUser(store(), accountId);
      await store().users.disable(disabled.id, aRevocation(), anEvent());
      await givenAdmins(store());
      expect(await store().users.listAdmins(accountId, 9)).toEqual([user, other]);
      const [first] = await store().users.listAdmins(accountId, 1);
      expect(first).toEqual(user);
      expect(first).toSatisfy(isDeeplyFrozen);
    });

    test('live tokens are listed, API tokens first, and the next to expire first', async () => {
      const [user, other] = await givenAdmins(store());
      const at = addMilliseconds(START, 1000);
      const give = (kind: TokenKind, lastsMs: number) =>
        givenToken(store(), user, { kind, expiresAt: addMilliseconds(at, lastsMs) });
      const signIns = [await give('sign-in', 2), await give('sign-in', 3)];
      const endless = await givenToken(store(), user);
      const ending = [await give('api', 1), await give('api', 2)];
      await give('api', 0);
      const revoked = await givenToken(store(), user);
      await store().tokens.revoke(revoked.id, aRevocation(), anEvent());
      await givenToken(store(), other);

      const list = (limit: number) => store().users.listLiveTokens(user.id, { at, limit });
      const expected = [...ending, endless, ...signIns];
      expect(await list(9)).toMatchObject(expected);
      expect(await list(4)).toMatchObject(expected.slice(0, 4));
      expect(await list(2)).toMatchObject(ending);
      const [first] = await list(1);
      expect(first).toEqual(await store().tokens.find(ending[0]?.id as TokenId));
    });

    test('disabling a user permanently revokes all of the user’s tokens, each with an event', async () => {
      const [user] = await givenAdmins(store());
      const api = await givenToken(store(), user);
      const signIn = await givenToken(store(), user, { kind: 'sign-in' });
      const revocation = aRevocation({ reason: 'user disabled' });
      const disabled = await store().users.disable(user.id, revocation, anEvent({ action: 'user.disabled' }));

      expect(disabled).toEqual(
        ok({
          user: { ...user, disabledAt: START },
          already: false,
          transferred: 0,
          renamed: [],
          revoked: 2,
          serviceAccounts: { disabled: 0, given: 0, left: 0 },
        }),
      );
      for (const { id } of [api, signIn]) {
        expect((await store().tokens.findRecord(id))?.revocation).toEqual(revocation);
      }
      const events = (await store().audit.list({ limit: 3 })).map((entry) => entry.event);
      const revoked = events.filter((event) => event.action === 'token.revoked');
      expect(revoked.map(({ subject }) => subject.id).toSorted()).toEqual([api.id, signIn.id].toSorted());
      expect(events.some(({ action }) => action === 'user.disabled')).toBe(true);
    });

    test('the last active admin of an account cannot be disabled; a member can', async () => {
      const [admin, second] = await givenAdmins(store());
      const member = await givenUser(store(), admin.accountId, { role: 'member' });
      expect((await store().users.disable(second.id, aRevocation(), anEvent())).ok).toBe(true);
      const before = await newestEvent(store());
      expect(await store().users.disable(admin.id, aRevocation(), anEvent({ origin: 'x' }))).toEqual(
        err({ code: 'last_admin' }),
      );
      expect(await newestEvent(store())).toEqual(before);
      expect((await store().users.disable(member.id, aRevocation(), anEvent())).ok).toBe(true);
    });

    test('of two admins who are disabled at once one stays active', async () => {
      const admins = await givenAdmins(store());
      const outcomes = await Promise.all(
        admins.map((admin) => store().users.disable(admin.id, aRevocation(), anEvent())),
      );
      expect(outcomes.filter((outcome) => outcome.ok)).toHaveLength(1);
    });

    test('disabling again changes nothing, and disabling an unknown user is refused', async () => {
      const [user] = await givenAdmins(store());
      const first = await store().users.disable(user.id, aRevocation(), anEvent());
      const before = await newestEvent(store());
      const once = aRevocation({ reason: 'again' });
      const again = await store().users.disable(user.id, once, anEvent({ origin: 'x' }));
      expect(first).toMatchObject(ok({ already: false }));
      expect(again).toEqual(ok({ ...(first.ok && first.value), already: true }));
      expect(await newestEvent(store())).toEqual(before);
      expect(await store().users.disable(NOBODY, aRevocation(), anEvent())).toEqual(
        err({ code: 'user_not_found' }),
      );
    });

    test('a user is renamed with one event, made from the user before the change; a disabled user is not', async () => {
      const [, user] = await givenAdmins(store());
      const rename = (name: string, origin: string, id = user.id) =>
        store().users.rename(id, name, (before) => anEvent({ origin: `${origin} ${before.name}` }));
      const renamed = { ...user, name: 'Ada Byron' };
      expect(await rename('Ada Byron', 'was')).toEqual(ok({ user: renamed, already: false }));
      expect(await store().users.findById(user.id)).toEqual(renamed);
      expect(await rename('Ada Byron', 'still')).toEqual(ok({ user: renamed, already: true }));
      expect((await newestEvent(store()))?.origin).toBe(`was ${user.name}`);
      const refused = err({ code: 'user_not_found' });
      expect(await rename('Ada', 'x', NOBODY)).toEqual(refused);
      await store().users.disable(user.id, aRevocation(), anEvent());
      expect(await rename('Ada', 'x')).toEqual(refused);
      expect((await store().users.findById(user.id))?.name).toBe('Ada Byron');
    });

    test('a user who is enabled is as before, except that the tokens stay revoked', async () => {
      const [user] = await givenAdmins(store());
      const token = await givenToken(store(), user);
      const enable = (origin: string) =>
        store().users.enable(user.id, anEvent({ action: 'user.enabled', origin }));
      await store().users.disable(user.id, aRevocation(), anEvent());
      expect(await enable('first')).toEqual(ok({ user, already: false }));
      expect(await store().users.findByEmail(emailKey(user.email))).toEqual(user);
      expect((await store().tokens.findRecord(token.id))?.revocation).not.toBeNull();
      expect(await enable('second')).toEqual(ok({ user, already: true }));
      expect(await newestEvent(store())).toMatchObject({ action: 'user.enabled', origin: 'first' });
      expect(await store().users.enable(NOBODY, anEvent())).toEqual(err({ code: 'user_not_found' }));
    });

    test('a role is set once, with an event created from the previous state', async () => {
      const [user] = await givenAdmins(store());
      const demote = (origin: string) =>
        store().users.setRole(user.id, 'member', ({ role }) => anEvent({ origin, details: { from: role } }));
      const demoted = { ...user, role: 'member' as const };
      expect(await demote('first')).toEqual(ok({ user: demoted, already: false }));
      expect(await store().users.findByEmail(emailKey(user.email))).toEqual(demoted);
      expect(await demote('second')).toEqual(ok({ user: demoted, already: true }));
      expect(await newestEvent(store())).toMatchObject({ origin: 'first', details: { from: 'admin' } });
      const promoted = await store().users.setRole(user.id, 'admin', () => anEvent());
      expect(promoted).toEqual(ok({ user, already: false }));
      expect(await store().users.setRole(NOBODY, 'admin', () => anEvent())).toEqual(
        err({ code: 'user_not_found' }),
      );
    });

    test('the last active admin of an account cannot be demoted; a disabled one can', async () => {
      const [admin, disabled] = await givenAdmins(store());
      await store().users.disable(disabled.id, aRevocation(), anEvent());
      const before = await newestEvent(store());
      const demote = (id: UserId) => store().users.setRole(id, 'member', () => anEvent({ origin: 'x' }));
      expect(await demote(admin.id)).toEqual(err({ code: 'last_admin' }));
      expect(await newestEvent(store())).toEqual(before);
      expect(await store().users.findByEmail(emailKey(admin.email))).toEqual(admin);
      expect(await demote(disabled.id)).toMatchObject(ok({ user: { role: 'member' } }));
    });

    test('a new password revokes sign-in tokens and leaves API tokens', async () => {
      const user = await givenAdmin(store());
      const api = await givenToken(store(), user);
      const signIn = await givenToken(store(), user, { kind: 'sign-in' });
      await givenToken(store(), user, { kind: 'sign-in', expiresAt: START });
      const set = await store().users.setPassword(user.id, OTHER_HASH, aRevocation(), anEvent());
      expect(set).toEqual(ok({ user, signedOut: 1 }));
      expect((await store().tokens.findRecord(api.id))?.revocation).toBeNull();
      expect((await store().tokens.findRecord(signIn.id))?.revocation).toEqual(aRevocation());
      const credentials = await store().users.findCredentials(emailKey(user.email));
      expect(credentials?.passwordHash).toBe(OTHER_HASH);
      expect(await store().users.setPassword(NOBODY, OTHER_HASH, aRevocation(), anEvent())).toEqual(
        err({ code: 'user_not_found' }),
      );
    });

    test('a stronger hash replaces the verified one, and never a newer password', async () => {
      const user = await givenAdmin(store());
      const stored = async () => (await store().users.findCredentials(emailKey(user.email)))?.passwordHash;
      const stronger = '$test$stronger' as PasswordHash;
      await store().users.replacePasswordHash(user.id, { verified: A_HASH, hash: stronger, form: 'normal' });
      expect(await stored()).toBe(stronger);

      await store().users.setPassword(user.id, OTHER_HASH, aRevocation(), anEvent());
      await store().users.replacePasswordHash(user.id, { verified: stronger, hash: A_HASH, form: 'normal' });
      expect(await stored()).toBe(OTHER_HASH);
    });

    test('a new hash is of the normal form; one that replaces it says of which form it is', async () => {
      const user = await givenAdmin(store());
      const form = async () => (await store().users.findCredentials(user.email))?.passwordForm;
      const [typed, again] = ['$test$typed', '$test$again'] as PasswordHash[] as [PasswordHash, PasswordHash];
      const replace = (verified: PasswordHash, hash: PasswordHash, of: 'as-typed' | 'normal') =>
        store().users.replacePasswordHash(user.id, { verified, hash, form: of });
      expect(await form()).toBe('normal');
      await replace(A_HASH, typed, 'as-typed');
      expect(await form()).toBe('as-typed');
      await replace(typed, again, 'as-typed');
      expect(await form()).toBe('as-typed');
      await replace(typed, again, 'normal');
      expect(await form()).toBe('as-typed');
      await replace(again, again, 'normal');
      expect(await form()).toBe('normal');
      await replace(again, typed, 'as-typed');
      await replace(typed, again, 'as-typed');
      expect(await form()).toBe('as-typed');
      await store().users.setPassword(user.id, OTHER_HASH, aRevocation(), anEvent());
      expect(await form()).toBe('normal');
    });
  });
}
