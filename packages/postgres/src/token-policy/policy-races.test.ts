import { ok } from '@gatehouse/domain';
import {
  A_GUARD,
  anEvent,
  aSuccessor,
  aToken,
  givenActiveKey,
  givenAdmin,
  givenToken,
  START,
} from '@gatehouse/domain/testing';
import { addMilliseconds } from '@gatehouse/domain/time';
import { NO_TOKEN_FLOOR } from '@gatehouse/domain/token-policy';
import type { Token, TokenRepository } from '@gatehouse/domain/tokens';
import type { User } from '@gatehouse/domain/users';
import { afterAll, describe, expect, test } from 'vitest';
import { GATE_HOLDS, openStage, type Part, type Side } from '../../testing/stage.ts';
import { withoutLocks } from '../../testing/without-locks.ts';
import type { Database } from '../database/database.ts';
import { createPostgresTokenRepository } from '../tokens/token-repository.ts';

const DAY = 86_400_000;
const LIMITS = { ...NO_TOKEN_FLOOR.person, mustExpire: true, maxLifetimeMs: DAY };
const LONG = addMilliseconds(START, 2 * DAY);

interface Scene {
  readonly user: User;
  /** A token that never expires. */
  readonly old: Token;
  /** A token that expires in two days, and is not stored. */
  readonly long: Token;
}

/** The changes that would leave a token which is too long for the rules that are set meanwhile. */
const CHANGES = {
  insert: (tokens, { long }, event) => tokens.insert(long, event()),
  'sign in': (tokens, { long }, event) => tokens.insertSignIn({ ...long, kind: 'sign-in' }, A_GUARD, event()),
  rotate: (tokens, { user, old, long: { id } }, event) =>
    tokens.rotate(aSuccessor(old, { id, expiresAt: LONG }), { by: user.id }, [event()]),
  update: (tokens, { old }, event) => tokens.update(old.id, { expiresAt: LONG }, START, () => event()),
} satisfies Record<
  string,
  (tokens: TokenRepository, scene: Scene, event: Side['event']) => Promise<{ readonly ok: boolean }>
>;

const SETTINGS = {
  rules: ({ store, event }, { user }) =>
    store.tokenPolicies.set(
      user.accountId,
      ({ service }) => ok({ service, person: { ...LIMITS, defaultLifetimeMs: DAY, confirmWithinMs: null } }),
      () => event(),
    ),
  floor: ({ store, event }) =>
    store.tokenPolicies.setFloor(
      ({ service }) => ok({ service, person: LIMITS }),
      () => event(),
    ),
} satisfies Record<string, (side: Side, scene: Scene) => Promise<{ readonly ok: boolean }>>;

const PAIRS = Object.keys(CHANGES).flatMap((change) =>
  Object.keys(SETTINGS).map(
    (setting) => [change as keyof typeof CHANGES, setting as keyof typeof SETTINGS] as const,
  ),
);

describe('a token that is stored while rules are set which refuse it', { timeout: 60_000 }, async () => {
  const stage = await openStage();
  afterAll(stage.close);
  async function givenScene(): Promise<Scene> {
    const user = await givenAdmin(stage.store);
    const old = await givenToken(stage.store, user);
    const long = aToken(user, await givenActiveKey(stage.store), { expiresAt: LONG });
    return { user, old, long };
  }

  /** Runs the two at once, in each staging. Returns whether each change was stored. */
  async function race(
    [change, setting]: (typeof PAIRS)[number],
    begins: 'one' | 'other',
    prepared = (database: Database) => database,
  ) {
    const stored: boolean[] = [];
    for (const hold of GATE_HOLDS) {
      // All accounts share the floor.
      await stage.store.tokenPolicies.setFloor(
        () => ok(NO_TOKEN_FLOOR),
        () => anEvent(),
      );
      const scene = await givenScene();
      const storing: Part<{ readonly ok: boolean }> = ({ database, event }) =>
        CHANGES[change](createPostgresTokenRepository(prepared(database)), scene, event);
      const settingRules: Part<{ readonly ok: boolean }> = (side) => SETTINGS[setting](side, scene);
      const [outcome, set] = await stage.race(storing, settingRules, hold, begins);
      expect(set.ok).toBe(true);
      stored.push(outcome.ok);
      if (!outcome.ok)
        expect(outcome).toMatchObject({ error: { code: 'lifetime_not_allowed', maxLifetimeMs: DAY } });
    }
    return stored;
  }

  test.each(PAIRS)('is refused if the rules come first, and stored if it does: %s, %s', async (...pair) => {
    expect(await race(pair, 'other')).toEqual([false, false, false]);
    expect(await race(pair, 'one')).toEqual([true, true, true]);
  });

  test.each(PAIRS)('slips past the rules, and is detected, without locks: %s, %s', async (...pair) => {
    expect(await race(pair, 'other', withoutLocks)).toContain(true);
  });
});
