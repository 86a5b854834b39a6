import { ok } from '@gatehouse/domain';
import { anEvent, aSigningKey, givenAdmin, givenToken, START, unwrap } from '@gatehouse/domain/testing';
import { addMilliseconds } from '@gatehouse/domain/time';
import { NOT_WATCHED } from '@gatehouse/domain/time-events';
import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { GATE_HOLDS, type Hold, openStage, type Part, type Side } from '../../testing/stage.ts';
import { withoutLocks } from '../../testing/without-locks.ts';
import type { Database } from '../database/database.ts';
import { createPostgresTimeEvents } from './time-events.ts';

describe('events of time on two servers', { timeout: 60_000 }, async () => {
  const stage = await openStage();
  afterAll(stage.close);

  const later = addMilliseconds(START, 1000);
  const DONE = { ...NOT_WATCHED, lookAt: null };

  /** A token that is due, when no other token is. */
  async function givenDue() {
    const token = await givenToken(stage.store, await givenAdmin(stage.store));
    const all = { now: later, limit: 1000 };
    await stage.store.timeEvents.lookAtTokens(all, () => ({ events: [], watch: DONE }));
    await sql`update token_watches set look_at = now() where token_id = ${token.id}`.execute(
      stage.database.queries,
    );
    return token;
  }

  const look =
    (prepared: (database: Database) => Database): Part<unknown> =>
    ({ database, event }) =>
      createPostgresTimeEvents(prepared(database)).lookAtTokens(
        { now: Date.now() as typeof START, limit: 10 },
        () => ({ events: [event({ action: 'token.unused' })], watch: DONE }),
      );

  const count = async (action: string) => {
    const { rows } = await sql<{ count: number }>`
      select count(*) from audit_events where action = ${action}`.execute(stage.database.queries);
    return rows[0]?.count ?? 0;
  };

  /** Both servers do the same: how many events are recorded with each order of the commits? */
  async function race(
    action: string,
    part: Part<unknown>,
    given: () => Promise<unknown>,
    holds: readonly Hold[],
  ) {
    const counts: number[] = [];
    for (const hold of holds) {
      await given();
      const before = await count(action);
      await stage.race(part, part, hold);
      counts.push((await count(action)) - before);
    }
    return counts;
  }

  test('a fact about a token is recorded by one of them, and by both without the lock', async () => {
    const same = (database: Database) => database;
    expect(await race('token.unused', look(same), givenDue, GATE_HOLDS)).toEqual([1, 1, 1]);
    const unlocked = await race('token.unused', look(withoutLocks), givenDue, GATE_HOLDS.slice(0, 1));
    expect(unlocked).toEqual([2]);
  });

  test('a change of a token while it is looked at makes it due again', async () => {
    const token = await givenDue();
    const expiresAt = addMilliseconds(START, 86_400_000);
    const update: Part<unknown> = async ({ store, event }) =>
      unwrap(await store.tokens.update(token.id, { expiresAt }, START, () => event()));
    for (const begins of ['one', 'other'] as const) {
      await stage.race(
        look((database) => database),
        update,
        GATE_HOLDS[0] as Hold,
        begins,
      );
      const found: unknown[] = [];
      await stage.store.timeEvents.lookAtTokens({ now: later, limit: 10 }, ({ record }) => {
        found.push(record.expiresAt);
        return { events: [], watch: DONE };
      });
      expect(found).toEqual([expiresAt]);
      await sql`update tokens set expires_at = null where id = ${token.id}`.execute(stage.database.queries);
      await sql`update token_watches set look_at = now() where token_id = ${token.id}`.execute(
        stage.database.queries,
      );
    }
  });

  test('a due key is recorded by one of them', async () => {
    const record: Part<unknown> = ({ store, event }) =>
      store.timeEvents.recordDueKeys({ activatedUntil: later, limit: 10 }, () =>
        event({ action: 'key.due' }),
      );
    const key = aSigningKey({ format: 'jwt', state: 'active', activatedAt: START });
    await stage.store.signingKeys.insert(key, anEvent());
    const given = () =>
      sql`delete from time_event_marks where subject = ${key.id}`.execute(stage.database.queries);
    const all = { activatedUntil: later, limit: 10 };
    await stage.store.timeEvents.recordDueKeys(all, () => anEvent());
    expect(await race('key.due', record, given, GATE_HOLDS)).toEqual([1, 1, 1]);
  });

  test('broken rules are recorded by one of them', async () => {
    const admin = await givenAdmin(stage.store);
    await givenToken(stage.store, admin);
    let lifetime = 86_400_000;
    const record = ({ store, event }: Side) =>
      store.timeEvents.recordExceededPolicies({ now: later, limit: 10, countLimit: 10 }, () =>
        event({ action: 'policy.exceeded' }),
      );
    const given = async () => {
      lifetime += 1000;
      const { accountId } = admin;
      const longest = { mustExpire: true, maxLifetimeMs: lifetime };
      await stage.store.tokenPolicies.set(
        accountId,
        (policy) => ok({ ...policy, person: { ...policy.person, ...longest } }),
        () => anEvent(),
      );
    };
    expect(await race('policy.exceeded', record, given, GATE_HOLDS)).toEqual([1, 1, 1]);
  });
});
