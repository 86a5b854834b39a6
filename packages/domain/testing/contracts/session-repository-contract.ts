import { describe, expect, test } from 'vitest';
import type { AuditEvent } from '../../src/audit/index.ts';
import type { ProviderId, ProviderSession } from '../../src/identity-providers/index.ts';
import { err, ok } from '../../src/index.ts';
import { NO_SECOND_FACTOR } from '../../src/second-factor/index.ts';
import type {
  NewSession,
  OwnSession,
  ProviderLogOutSelection,
  SecretRenewal,
  Session,
  SessionId,
  SessionSecretHash,
} from '../../src/sessions/index.ts';
import { NOT_GIVEN } from '../../src/sessions/index.ts';
import { addMilliseconds, type Instant } from '../../src/time/index.ts';
import type { PasswordHash, User } from '../../src/users/index.ts';
import {
  A_HASH,
  anEvent,
  aRevocation,
  aSecretHash,
  aSession,
  givenAccount,
  givenAdmin,
  givenAdmins,
  givenSession,
  givenToken,
  givenUser,
  START,
} from '../fixtures.ts';
import type { OpenRepositories } from '../repositories.ts';
import { isDeeplyFrozen } from './is-deeply-frozen.ts';
import { newestEvent, openRepositories } from './open-repositories.ts';

const OTHER_HASH = '$test$other' as PasswordHash;
const UNKNOWN = '01890000-0000-7000-8000-ffffffffffff' as SessionId;
const NEVER = 0 as Instant;
/** Every session is live. */
const ALL = { createdAfter: NEVER, seenAfter: NEVER };
const later = (milliseconds: number) => addMilliseconds(START, milliseconds);

export function sessionRepositoryContract(name: string, open: OpenRepositories): void {
  describe(`${name} keeps the contract of SessionRepository`, () => {
    const store = openRepositories(open);
    const ended = ({ id }: Session): AuditEvent =>
      anEvent({ action: 'session.ended', subject: { type: 'session', id } });
    const insert = (session: NewSession, verifiedHash = A_HASH, bound = { keep: 100, ...ALL }) =>
      store().sessions.insert(session, { verifiedHash }, bound, { created: anEvent(), ended });
    const find = async ({ secretHash }: NewSession) => store().sessions.find(secretHash);
    const isThere = async (session: NewSession) => (await find(session)) !== undefined;
    const listed = (user: User, live = ALL) => store().sessions.list(user.id, live);
    const withoutHash = ({ secretHash: _, formKey: _key, ...session }: NewSession): Session => session;
    /** From the session's secret to another one. */
    const renewalOf = ({ secretHash: from }: NewSession): SecretRenewal => ({ from, to: aSecretHash() });
    const findBy = (hash: SessionSecretHash) => store().sessions.find(hash);

    test('a stored session is found by its secret’s hash, with its user and account', async () => {
      const account = await givenAccount(store());
      const user = await givenUser(store(), account.id, { role: 'member' });
      const session = aSession(user, {
        lastSeenAt: later(1),
        passwordGivenAt: later(2),
        origin: '2001:db8::1',
        userAgent: 'a “browser”\r\n\u202e',
      });
      const created = anEvent({ action: 'session.created', subject: { type: 'session', id: session.id } });
      const bound = { keep: 1, ...ALL };
      expect(
        await store().sessions.insert(session, { verifiedHash: A_HASH }, bound, { created, ended }),
      ).toEqual(ok(undefined));
      const record = await find(session);
      const { formKey } = session;
      const isNew = { formKey, secretReplacedAt: null, isRenewalDue: false };
      expect(record).toEqual({
        ...withoutHash(session),
        user,
        account,
        secondFactor: NO_SECOND_FACTOR,
        ...isNew,
      });
      expect(record).toSatisfy(isDeeplyFrozen);
      expect(await newestEvent(store())).toEqual(created);
      expect(await store().sessions.find('00'.repeat(32) as SessionSecretHash)).toBeUndefined();
    });

    test('a session is found with what its user and account have become', async () => {
      const [user] = await givenAdmins(store());
      const session = await givenSession(store(), user, { userAgent: null });
      await store().users.setRole(user.id, 'member', () => anEvent());
      await store().accounts.suspend(user.accountId, START, anEvent());
      expect(await find(session)).toMatchObject({
        userAgent: null,
        user: { role: 'member' },
        account: { suspendedAt: START },
      });
      await store().accounts.resume(user.accountId, anEvent());
      expect(await find(session)).toMatchObject({ account: { suspendedAt: null } });
    });

    test('a disabled user, a suspended account and another password than the verified one get none', async () => {
      const [user, other] = await givenAdmins(store());
      expect(await insert(aSession(user), OTHER_HASH)).toEqual(err({ code: 'password_changed' }));
      await store().users.disable(user.id, aRevocation(), anEvent());
      const before = await newestEvent(store());
      const refused = aSession(user);
      expect(await insert(refused)).toEqual(err({ code: 'user_not_fit' }));
      await store().accounts.suspend(other.accountId, START, before ?? anEvent());
      expect(await insert(aSession(other))).toEqual(err({ code: 'user_not_fit' }));
      expect(await newestEvent(store())).toEqual(before);
      expect(await isThere(refused)).toBe(false);
    });

    test('live sessions are listed, the newest first, without the hashes of their secrets', async () => {
      const [user, other] = await givenAdmins(store());
      const make = (createdMs: number, seenMs: number) =>
        givenSession(store(), user, { createdAt: later(createdMs), lastSeenAt: later(seenMs) });
      const first = await make(1, 10);
      const second = await make(2, 5);
      const twins = [await make(3, 10), await make(3, 10)];
      await givenSession(store(), other);
      const all = [...twins.toReversed(), second, first].map(withoutHash);
      expect(await listed(user)).toEqual(all);
      expect(await listed(user)).toSatisfy((sessions: readonly Session[]) => sessions.every(isDeeplyFrozen));
      expect(await listed(user, { createdAfter: later(1), seenAfter: NEVER })).toEqual(all.slice(0, 3));
      expect(await listed(user, { createdAfter: NEVER, seenAfter: later(5) })).toEqual([
        ...all.slice(0, 2),
        withoutHash(first),
      ]);
    });

    test('beyond the bound the oldest live sessions end, each with its event, and never the new one', async () => {
      const [user, other] = await givenAdmins(store());
      const make = (createdMs: number, seenMs = 100) =>
        aSession(user, { createdAt: later(createdMs), lastSeenAt: later(seenMs) });
      const foreign = await givenSession(store(), other);
      const [idle, first, second, third] = [make(5, 50), make(10), make(20), make(30)];
      const bound = { keep: 2, createdAfter: NEVER, seenAfter: later(50) };
      for (const session of [idle, first, second]) await insert(session, A_HASH, bound);
      await insert(third, A_HASH, bound);
      const events = (await store().audit.list({ limit: 2 })).map(({ event }) => event);
      expect(events).toEqual(expect.arrayContaining([ended(first), anEvent()]));
      // A machine whose clock is behind made the newest one.
      const behind = make(1);
      await insert(behind, A_HASH, bound);
      const there = await Promise.all([foreign, idle, first, second, third, behind].map(isThere));
      expect(there).toEqual([true, true, false, false, true, true]);
    });

    test('concurrent sessions do not exceed the bound', async () => {
      const user = await givenAdmin(store());
      const sessions = Array.from({ length: 6 }, () => aSession(user));
      await Promise.all(sessions.map((session) => insert(session, A_HASH, { keep: 2, ...ALL })));
      expect(await listed(user)).toHaveLength(2);
    });

    test('the last request never goes back, and a session that has ended stays so', async () => {
      const user = await givenAdmin(store());
      const [session, gone] = [await givenSession(store(), user), await givenSession(store(), user)];
      await store().sessions.touch(session.id, later(1000));
      expect((await find(session))?.lastSeenAt).toBe(later(1000));
      await store().sessions.touch(session.id, later(500));
      expect((await find(session))?.lastSeenAt).toBe(later(1000));
      await store().sessions.end(gone, anEvent());
      await store().sessions.touch(gone.id, later(1000));
      expect(await isThere(gone)).toBe(false);
    });

    test('a given password is recorded in the user’s own session, if its hash is still the verified one', async () => {
      const [user, other] = await givenAdmins(store());
      const session = await givenSession(store(), user);
      const renewal = renewalOf(session);
      const confirm = (own: OwnSession, verifiedHash = A_HASH) =>
        store().sessions.confirmPassword(own, later(1000), { verifiedHash }, renewal);
      expect(await confirm(session, OTHER_HASH)).toEqual(err({ code: 'password_changed' }));
      expect(await confirm({ ...session, userId: other.id })).toEqual(err({ code: 'session_not_found' }));
      expect(await confirm({ ...session, id: UNKNOWN })).toEqual(err({ code: 'session_not_found' }));
      expect(await find(session)).toMatchObject({ passwordGivenAt: START, secretReplacedAt: null });
      expect(await confirm(session)).toEqual(ok(undefined));
      expect(await findBy(renewal.to)).toMatchObject({
        id: session.id,
        passwordGivenAt: later(1000),
        formKey: session.formKey,
        secretReplacedAt: null,
      });
    });

    test('a replaced secret is found with the time of that, until the next one', async () => {
      const user = await givenAdmin(store());
      const session = await givenSession(store(), user);
      const first = renewalOf(session);
      expect(await store().sessions.renew(session, later(1000), first)).toBe(true);
      expect(await findBy(first.from)).toMatchObject({ id: session.id, secretReplacedAt: later(1000) });
      expect(await findBy(first.to)).toMatchObject({ id: session.id, secretReplacedAt: null });
      const second = { from: first.to, to: aSecretHash() };
      expect(await store().sessions.renew(session, later(2000), second)).toBe(true);
      expect(await findBy(first.from)).toBeUndefined();
      expect(await findBy(first.to)).toMatchObject({ secretReplacedAt: later(2000) });
      expect(await listed(user)).toEqual([withoutHash(session)]);
      await store().sessions.end(session, ended(session));
      expect([await findBy(second.from), await findBy(second.to)]).toEqual([undefined, undefined]);
    });

    test('of several renewals from the same secret one is made, whatever they are for', async () => {
      const [user, other] = await givenAdmins(store());
      const session = await givenSession(store(), user);
      const foreign = { id: session.id, userId: other.id };
      expect(await store().sessions.renew(foreign, START, renewalOf(session))).toBe(false);
      const renewals = Array.from({ length: 6 }, () => renewalOf(session));
      const guard = { verifiedHash: A_HASH };
      const made = await Promise.all(
        renewals.map(async (renewal, index) =>
          index % 2 === 0
            ? store().sessions.renew(session, START, renewal)
            : (await store().sessions.confirmPassword(session, START, guard, renewal)).ok,
        ),
      );
      expect(made.filter(Boolean)).toHaveLength(1);
      const found = await Promise.all(renewals.map(({ to }) => findBy(to)));
      expect(found.map((record) => record !== undefined)).toEqual(made);
    });

    test('a change of role takes back given passwords and makes the renewal of all sessions due', async () => {
      const [user, other] = await givenAdmins(store());
      const sessions = [await givenSession(store(), user), await givenSession(store(), user)];
      const foreign = await givenSession(store(), other);
      await store().users.setRole(user.id, 'admin', () => anEvent());
      for (const session of sessions) expect(await find(session)).toMatchObject({ isRenewalDue: false });
      await store().users.setRole(user.id, 'member', () => anEvent());
      const due = { isRenewalDue: true, passwordGivenAt: NOT_GIVEN };
      for (const session of sessions) expect(await find(session)).toMatchObject(due);
      expect(await find(foreign)).toMatchObject({ isRenewalDue: false, passwordGivenAt: START });
      const [session = expect.fail()] = sessions;
      const renewal = renewalOf(session);
      expect(await store().sessions.renew(session, START, renewal)).toBe(true);
      expect(await findBy(renewal.to)).toMatchObject({ ...due, isRenewalDue: false });
    });

    test('a user ends one session, with its event; another user’s, and one that has ended, is absent', async () => {
      const [user, other] = await givenAdmins(store());
      const [session, kept] = [await givenSession(store(), user), await givenSession(store(), user)];
      const before = await newestEvent(store());
      expect(await store().sessions.end({ id: session.id, userId: other.id }, ended(session))).toBe(false);
      expect(await store().sessions.end({ id: UNKNOWN, userId: user.id }, ended(session))).toBe(false);
      expect(await newestEvent(store())).toEqual(before);
      expect(await store().sessions.end(session, ended(session))).toBe(true);
      expect(await newestEvent(store())).toEqual(ended(session));
      expect(await store().sessions.end(session, anEvent({ origin: 'again' }))).toBe(false);
      expect(await newestEvent(store())).toEqual(ended(session));
      expect([await isThere(session), await isThere(kept)]).toEqual([false, true]);
    });

    test('all others end, with events of those that were live', async () => {
      const [user, colleague] = await givenAdmins(store());
      const foreign = await givenSession(store(), colleague);
      const idle = await givenSession(store(), user, { lastSeenAt: START });
      const live = await givenSession(store(), user, { lastSeenAt: later(10) });
      const kept = await givenSession(store(), user);
      const since = { createdAfter: NEVER, seenAfter: START };
      expect(await store().sessions.endOthers(kept, since, ended)).toBe(1);
      expect(await newestEvent(store())).toEqual(ended(live));
      const there = await Promise.all([foreign, idle, live, kept].map(isThere));
      expect(there).toEqual([true, false, false, true]);
      const before = await newestEvent(store());
      expect(await store().sessions.endOthers(kept, since, () => anEvent({ origin: 'x' }))).toBe(0);
      expect(await newestEvent(store())).toEqual(before);
    });

    test('disabling a user and setting a password end all of the user’s sessions; enabling brings none back', async () => {
      const [user, other] = await givenAdmins(store());
      const foreign = await givenSession(store(), other);
      const disabled = await givenSession(store(), user);
      await store().users.disable(user.id, aRevocation(), anEvent());
      await store().users.enable(user.id, anEvent());
      expect(await isThere(disabled)).toBe(false);
      const reset = await givenSession(store(), user);
      await store().users.setPassword(user.id, OTHER_HASH, aRevocation(), anEvent());
      expect([await isThere(foreign), await isThere(reset)]).toEqual([true, false]);
    });

    test('a user’s new password keeps one session, and ends the others and the sign-in tokens', async () => {
      const user = await givenAdmin(store());
      const api = await givenToken(store(), user);
      const signIn = await givenToken(store(), user, { kind: 'sign-in' });
      const [kept, other] = [await givenSession(store(), user), await givenSession(store(), user)];
      const event = anEvent({ action: 'user.password_set' });
      const renewal = renewalOf(kept);
      const change = (verifiedHash: PasswordHash, session: Session = kept, from = renewal.from) =>
        store().users.changePassword(
          user.id,
          OTHER_HASH,
          { verifiedHash, kept: session.id, renewal: { ...renewal, from } },
          aRevocation(),
          event,
        );
      expect(await change(OTHER_HASH)).toEqual(err({ code: 'password_changed' }));
      const foreign = await givenSession(store(), await givenAdmin(store()));
      expect(await change(A_HASH, foreign)).toEqual(err({ code: 'session_not_found' }));
      expect(await change(A_HASH, kept, aSecretHash())).toEqual(err({ code: 'session_not_found' }));
      expect(await isThere(other)).toBe(true);
      expect((await store().tokens.findRecord(signIn.id))?.revocation).toBeNull();

      expect(await change(A_HASH)).toEqual(ok(undefined));
      expect(await findBy(renewal.to)).toMatchObject({ id: kept.id, secretReplacedAt: null });
      expect(await find(kept)).toMatchObject({ id: kept.id, secretReplacedAt: aRevocation().at });
      expect(await isThere(other)).toBe(false);
      expect((await store().tokens.findRecord(signIn.id))?.revocation).toEqual(aRevocation());
      expect((await store().tokens.findRecord(api.id))?.revocation).toBeNull();
      const actions = (await store().audit.list({ limit: 2 })).map((entry) => entry.event.action);
      expect(actions).toContain('user.password_set');
      expect(await insert(aSession(user), OTHER_HASH)).toEqual(ok(undefined));
    });

    describe('a log-out at a provider', () => {
      const provider = 'entra' as ProviderId;
      const opened = async (parts: Partial<ProviderSession> & { readonly at?: Instant } = {}) => {
        const { at = START, ...of } = parts;
        const from = { provider, issuer: `https://${aSecretHash()}.example`, subject: 'ada', ...of };
        const session = aSession(await givenAdmin(store()), {
          createdAt: at,
          provider: { providerSession: null, ...from },
        });
        await insert(session);
        return { ...session, provider: { providerSession: null, ...from } };
      };
      const logOut = (parts: Partial<ProviderLogOutSelection> & Pick<ProviderLogOutSelection, 'issuer'>) => {
        const selected = { provider, subject: null, providerSession: null, openedBefore: later(1), ...parts };
        return store().sessions.endOfProvider(selected, (session, { accountId }) => ({
          ...ended(session),
          accountId,
        }));
      };

      test('ends all sessions of the person, each with its event, and no other', async () => {
        const first = await opened();
        const { issuer } = first.provider;
        const second = await opened({ issuer, providerSession: 'one' });
        const others = [
          await opened({ issuer, subject: 'grace' }),
          await opened({ issuer, at: later(1) }),
          await opened(),
        ];
        expect(await logOut({ issuer, subject: 'ada' })).toBe(2);
        expect(await logOut({ issuer, subject: 'ada' })).toBe(0);
        expect([await isThere(first), await isThere(second)]).toEqual([false, false]);
        for (const other of others) expect(await isThere(other)).toBe(true);
        const events = (await store().audit.list({ limit: 2 })).map(({ event }) => event.subject.id);
        expect(events.toSorted()).toEqual([first.id, second.id].toSorted());
      });

      test('ends the session that it names, of this provider only', async () => {
        const named = await opened({ providerSession: 'one' });
        const { issuer } = named.provider;
        const others = [
          await opened({ issuer, providerSession: 'two' }),
          await opened({ issuer }),
          await opened({ issuer, providerSession: 'one', provider: 'other' as ProviderId }),
          await opened({ providerSession: 'one' }),
        ];
        expect(await logOut({ issuer, providerSession: 'one' })).toBe(1);
        expect(await isThere(named)).toBe(false);
        for (const other of others) expect(await isThere(other)).toBe(true);
      });

      test('ends the named session of a person, and those of which the name is not known', async () => {
        const named = await opened({ providerSession: 'one' });
        const { issuer } = named.provider;
        const nameless = await opened({ issuer });
        const others = [
          await opened({ issuer, providerSession: 'two' }),
          await opened({ issuer, providerSession: 'one', subject: 'grace' }),
        ];
        expect(await logOut({ issuer, subject: 'ada', providerSession: 'one' })).toBe(2);
        expect([await isThere(named), await isThere(nameless)]).toEqual([false, false]);
        for (const other of others) expect(await isThere(other)).toBe(true);
      });

      test('leaves sessions that a password opened', async () => {
        const session = aSession(await givenAdmin(store()));
        await insert(session);
        expect(await find(session)).toMatchObject({ provider: null });
        expect(await logOut({ issuer: 'https://none.example', subject: 'ada' })).toBe(0);
        expect(await isThere(session)).toBe(true);
      });
    });

    test('sweeping deletes sessions that were made before a time, in batches', async () => {
      const user = await givenAdmin(store());
      // Before all sessions of the other tests.
      const make = (createdMs: number) =>
        givenSession(store(), user, { createdAt: later(-10_000 + createdMs) });
      const old = [await make(0), await make(1), await make(2)];
      const kept = await make(10);
      const sweep = (limit: number) => store().sessions.sweep({ createdBefore: later(-9_990), limit });
      expect(await sweep(2)).toBe(2);
      expect(await sweep(2)).toBe(1);
      expect(await sweep(2)).toBe(0);
      const there = await Promise.all([...old, kept].map(isThere));
      expect(there).toEqual([false, false, false, true]);
    });

    test('all sessions of a user are ended by an admin, with an event for each live one', async () => {
      const [admin, user] = await givenAdmins(store());
      const [live, idle] = [aSession(user), aSession(user, { lastSeenAt: later(-2000) })];
      const foreign = aSession(admin);
      for (const session of [live, idle, foreign]) await insert(session);
      const since = { ...ALL, seenAfter: later(-1000) };
      const endAll = (actor: AuditEvent['actor']) => store().sessions.endAll(user, since, actor, ended);
      const demoted = await givenUser(store(), user.accountId, { role: 'member' });
      const before = await newestEvent(store());
      const outsider = await givenAdmin(store());
      for (const { id } of [demoted, outsider])
        expect(await endAll({ kind: 'user', id })).toEqual(err({ code: 'not_allowed' }));
      expect(await Promise.all([live, idle].map(isThere))).toEqual([true, true]);
      expect((await newestEvent(store()))?.origin).toEqual(before?.origin);
      expect(await endAll({ kind: 'user', id: admin.id })).toEqual(ok(1));
      expect(await Promise.all([live, idle, foreign].map(isThere))).toEqual([false, false, true]);
      expect((await newestEvent(store()))?.subject).toEqual({ type: 'session', id: live.id });
      expect(await endAll({ kind: 'operator', name: 'root' })).toEqual(ok(0));
    });
  });
}
