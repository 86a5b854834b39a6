import { err } from '@gatehouse/domain';
import type { AuditAction, AuditEvent } from '@gatehouse/domain/audit';
import type { NewSession, SecretRenewal, SessionRepository } from '@gatehouse/domain/sessions';
import {
  A_HASH,
  aRevocation,
  aSecretHash,
  aSession,
  givenAdmins,
  givenSession,
  START,
} from '@gatehouse/domain/testing';
import { addMilliseconds, type Instant } from '@gatehouse/domain/time';
import { emailKey, type PasswordHash, type User } from '@gatehouse/domain/users';
import { recordFigures, sized } from '@gatehouse/fault-figures';
import { afterAll, describe, expect, test } from 'vitest';
import { GATE_HOLDS, type Hold, openStage, type Part, type Side } from '../../testing/stage.ts';
import { withoutLocks } from '../../testing/without-locks.ts';
import type { Database } from '../database/database.ts';
import { createPostgresUserRepository } from '../users/user-repository.ts';
import { createPostgresSessionRepository } from './session-repository.ts';

/** Each pair is raced in 8 stagings a round; 125 rounds make a thousand races of each pair. */
const ROUNDS = sized({ short: 1, full: 125 });

const NEW_HASH = '$test$new' as PasswordHash;
const NEVER = 0 as Instant;
const ALL = { createdAfter: NEVER, seenAfter: NEVER };
/** The other change waits at its gate with its locks held; then the first one begins and waits for it. */
const BEHIND = [{ at: 'gate', letGo: 'first' }, 'other'] as const;

const renewalOf = ({ secretHash: from }: NewSession): SecretRenewal => ({ from, to: aSecretHash() });

interface Scene {
  readonly user: User;
  readonly old: NewSession;
}

interface Ender {
  readonly action: AuditAction;
  readonly row: 'accounts' | 'users';
  /** How a session is refused that comes second; undefined if it may exist then. */
  readonly refusal: 'user_not_fit' | 'password_changed' | undefined;
  /** Whether a session that came first may remain: a suspension is seen by each read. */
  readonly leaves?: true;
  end(store: Side['store'], scene: Scene, event: AuditEvent): Promise<unknown>;
}

const ENDERS: Readonly<Record<string, Ender>> = {
  disable: {
    action: 'user.disabled',
    row: 'accounts',
    refusal: 'user_not_fit',
    end: ({ users }, { user }, event) => users.disable(user.id, aRevocation(), event),
  },
  setPassword: {
    action: 'user.password_set',
    row: 'users',
    refusal: 'password_changed',
    end: ({ users }, { user }, event) => users.setPassword(user.id, NEW_HASH, aRevocation(), event),
  },
  changePassword: {
    action: 'user.password_set',
    row: 'users',
    refusal: 'password_changed',
    end: ({ users }, { user, old }, event) =>
      users.changePassword(
        user.id,
        NEW_HASH,
        { verifiedHash: A_HASH, kept: old.id, renewal: renewalOf(old) },
        aRevocation(),
        event,
      ),
  },
  suspend: {
    action: 'account.suspended',
    row: 'accounts',
    refusal: 'user_not_fit',
    leaves: true,
    end: ({ accounts }, { user }, event) => accounts.suspend(user.accountId, START, event),
  },
  endOthers: {
    action: 'session.ended',
    row: 'users',
    refusal: undefined,
    end: async ({ sessions }, { user, old }, event) => {
      const kept = { userId: user.id, id: aSession(user).id };
      // Ends `old`, too, so that there is an event.
      return sessions.endOthers(kept, ALL, (one) => (one.id === old.id ? event : { ...event }));
    },
  },
};

describe('sessions in races', { timeout: 60_000 * ROUNDS }, async () => {
  const stage = await openStage();
  afterAll(stage.close);

  const setScene = async (): Promise<Scene> => {
    const [user] = await givenAdmins(stage.store);
    return { user, old: await givenSession(stage.store, user) };
  };
  const unlocked = (database: Database) => createPostgresSessionRepository(withoutLocks(database));
  const insert =
    (make: (database: Database) => SessionRepository, session: NewSession, keep = 1000) =>
    ({ database, event }: Side) =>
      make(database).insert(
        session,
        { verifiedHash: A_HASH },
        { keep, ...ALL },
        {
          created: event({ action: 'session.created' }),
          ended: () => event({ action: 'session.ended' }),
        },
      );

  /** Opens a session while something ends it, in every staging. */
  async function raceToOpen(make: (database: Database) => SessionRepository, ender: Ender) {
    const violations: string[] = [];
    let [made, races] = [0, 0];
    for (const begins of ['one', 'other'] as const) {
      for (const holdAt of ['row', ...GATE_HOLDS] as const) {
        const scene = await setScene();
        const session = aSession(scene.user);
        const id = ender.row === 'users' ? scene.user.id : scene.user.accountId;
        const hold: Hold = holdAt === 'row' ? { at: 'row', table: ender.row, id } : holdAt;
        const ending: Part<unknown> = ({ store, event }) =>
          ender.end(store, scene, event({ action: ender.action }));
        const [opened] = await stage.race(insert(make, session), ending, hold, begins);
        races += 1;
        if (opened.ok) made += 1;
        violations.push(...(await judge(ender, session, opened)));
      }
    }
    return { made, races, violations };
  }

  async function judge(
    { action, refusal, leaves }: Ender,
    session: NewSession,
    opened: Awaited<ReturnType<SessionRepository['insert']>>,
  ): Promise<readonly string[]> {
    const isThere = (await stage.store.sessions.find(session.secretHash)) !== undefined;
    if (!opened.ok) {
      return [
        ...(isThere ? ['a refused session exists'] : []),
        ...(opened.error.code === refusal ? [] : [`refused as ${opened.error.code}`]),
      ];
    }
    // The newest are first; transactions that wait for each other are recorded in the order of their commits.
    const actions = (await stage.store.audit.list({ limit: 10 })).map(({ event }) => event.action);
    const cameSecond = actions.indexOf('session.created') < actions.indexOf(action);
    if (cameSecond) return refusal === undefined ? [] : ['the session was made after it'];
    return isThere && !leaves ? ['the session outlives it'] : [];
  }

  test.each(Object.keys(ENDERS))('a session that is opened meanwhile never outlives it: %s', async (name) => {
    const ender = ENDERS[name] as Ender;
    let total = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const { made, races, violations } = await raceToOpen(createPostgresSessionRepository, ender);
      expect(violations).toEqual([]);
      // Both orders took place.
      expect(made).toBe(ender.refusal === undefined ? races : races / 2);
      total += races;
    }
    const figure = `session being opened, against ${name}: races after which the session outlived it`;
    recordFigures('W1', [{ name: figure, measured: `0 of ${total}`, bar: '0', holds: true }]);
  });

  test.each(Object.keys(ENDERS))('outlives it, and is detected, without locks: %s', async (name) => {
    const { violations } = await raceToOpen(unlocked, ENDERS[name] as Ender);
    expect(violations.some((violation) => /outlives|made after/.test(violation))).toBe(true);
  });

  /** Two sessions of a user who may have one: how many does the user have then? */
  async function raceForBound(make: (database: Database) => SessionRepository) {
    const left: number[] = [];
    for (const hold of GATE_HOLDS) {
      const [user] = await givenAdmins(stage.store);
      const one = aSession(user);
      const other = aSession(user, { createdAt: addMilliseconds(START, 1) });
      await stage.race(insert(make, one, 1), insert(make, other, 1), hold);
      left.push((await stage.store.sessions.list(user.id, ALL)).length);
    }
    return left;
  }

  test('the bound holds for sessions that are opened at once, and not without locks', async () => {
    expect(await raceForBound(createPostgresSessionRepository)).toEqual([1, 1, 1]);
    expect(await raceForBound(unlocked)).toContain(2);
  });

  /** The password of a session is confirmed behind its change in the same session. */
  async function raceToConfirm(make: (database: Database) => SessionRepository) {
    const { user, old } = await setScene();
    const guard = { verifiedHash: A_HASH };
    const confirm: Part<Awaited<ReturnType<SessionRepository['confirmPassword']>>> = ({ database }) =>
      make(database).confirmPassword(old, addMilliseconds(START, 1), guard, renewalOf(old));
    const change: Part<unknown> = ({ store: { users }, event }) =>
      users.changePassword(
        user.id,
        NEW_HASH,
        { ...guard, kept: old.id, renewal: renewalOf(old) },
        aRevocation(),
        event(),
      );
    const [confirmed] = await stage.race(confirm, change, ...BEHIND);
    return confirmed;
  }

  test('an old password confirms nothing after its change, which also replaced the secret', async () => {
    expect(await raceToConfirm(createPostgresSessionRepository)).toEqual(err({ code: 'password_changed' }));
    expect(await raceToConfirm(unlocked)).toEqual(err({ code: 'session_not_found' }));
  });

  /** Two requests with the same secret confirm the password: how many succeed, and how many secrets work then? */
  async function raceToRenew(make: (database: Database) => SessionRepository) {
    const outcomes: unknown[] = [];
    for (const hold of GATE_HOLDS) {
      const { old } = await setScene();
      const renewals = [renewalOf(old), renewalOf(old)] as const;
      const confirm =
        (renewal: SecretRenewal): Part<Awaited<ReturnType<SessionRepository['confirmPassword']>>> =>
        ({ database }) =>
          make(database).confirmPassword(old, START, { verifiedHash: A_HASH }, renewal);
      const confirmed = await stage.race(confirm(renewals[0]), confirm(renewals[1]), hold);
      const works = await Promise.all(
        renewals.map(async ({ to }) => (await stage.store.sessions.find(to)) !== undefined),
      );
      outcomes.push([confirmed.filter((one) => one.ok).length, works.filter(Boolean).length]);
    }
    return outcomes;
  }

  test('of two passwords that are given at once one replaces the secret, with and without locks', async () => {
    const once = GATE_HOLDS.map(() => [1, 1]);
    expect(await raceToRenew(createPostgresSessionRepository)).toEqual(once);
    expect(await raceToRenew(unlocked)).toEqual(once);
  });

  /** A user changes the password behind an operator who sets it: which one is stored? */
  async function raceForPassword(make: typeof createPostgresUserRepository) {
    const { user, old } = await setScene();
    const own = '$test$own' as PasswordHash;
    const change: Part<unknown> = ({ database, event }) =>
      make(database).changePassword(
        user.id,
        own,
        { verifiedHash: A_HASH, kept: old.id, renewal: renewalOf(old) },
        aRevocation(),
        event(),
      );
    const set: Part<unknown> = ({ store: { users }, event }) =>
      users.setPassword(user.id, NEW_HASH, aRevocation(), event());
    await stage.race(change, set, ...BEHIND);
    return (await stage.store.users.findCredentials(emailKey(user.email)))?.passwordHash;
  }

  test('the password that an operator sets stays, and even without locks, because the session has ended', async () => {
    expect(await raceForPassword(createPostgresUserRepository)).toBe(NEW_HASH);
    const unguarded = (database: Database) => createPostgresUserRepository(withoutLocks(database));
    expect(await raceForPassword(unguarded)).toBe(NEW_HASH);
  });
});
