import { ok } from '@gatehouse/domain';
import {
  anEvent,
  aRevocation,
  aSuccessor,
  givenAdmins,
  givenSuccessor,
  givenToken,
  START,
} from '@gatehouse/domain/testing';
import { addMilliseconds } from '@gatehouse/domain/time';
import type { Successor, Token } from '@gatehouse/domain/tokens';
import { sized } from '@gatehouse/fault-figures';
import { afterAll, describe, expect, test } from 'vitest';
import { GATE_HOLDS, type Hold, openStage, type Part } from '../../testing/stage.ts';
import { withoutLocks } from '../../testing/without-locks.ts';
import type { Database } from '../database/database.ts';
import { createPostgresUsageRecorder } from '../usage/usage-recorder.ts';
import { createPostgresTokenRepository } from './token-repository.ts';

const ROUNDS = sized({ short: 1, full: 125 });

const USED_AT = addMilliseconds(START, 60_000);

const stage = await openStage();
afterAll(stage.close);

/** Creates a token of an admin who is not the only one. */
async function givenOld(): Promise<Token> {
  const [owner] = await givenAdmins(stage.store);
  return givenToken(stage.store, owner);
}

const tokenNow = async ({ id }: Token) => await stage.store.tokens.findRecord(id);

describe('a token that is rotated twice at once', { timeout: 60_000 * ROUNDS }, () => {
  async function raceTwice(tokensOf: typeof createPostgresTokenRepository): Promise<unknown[]> {
    const outcomes: unknown[] = [];
    for (const holdAt of ['row', ...GATE_HOLDS] as const) {
      const old = await givenOld();
      const hold: Hold = holdAt === 'row' ? { at: 'row', table: 'tokens', id: old.id } : holdAt;
      const rotate: Part<unknown> = async ({ database, event }) => {
        const rotated = await tokensOf(database).rotate(aSuccessor(old), { by: old.userId }, [event()]);
        return rotated.ok ? rotated : rotated.error;
      };
      outcomes.push(await stage.race(rotate, rotate, hold));
    }
    return outcomes;
  }

  test('has one successor, and the second rotation is refused', async () => {
    const refused = {
      code: 'token_not_rotatable',
      reason: 'being_replaced',
      successorId: expect.any(String),
    };
    for (let round = 0; round < ROUNDS; round += 1) {
      expect(await raceTwice(createPostgresTokenRepository)).toEqual(
        ['row', ...GATE_HOLDS].map(() => [ok(undefined), refused]),
      );
    }
  });

  test('violates that, and is detected, without locks', async () => {
    const unguarded = (database: Database) => createPostgresTokenRepository(withoutLocks(database));
    await expect(raceTwice(unguarded)).rejects.toThrow('tokens_successor');
  });
});

describe('a successor that is used for the first time', { timeout: 60_000 * ROUNDS }, () => {
  const use =
    ({ id }: Successor, prepared = (database: Database) => database): Part<void> =>
    ({ database }) => {
      const recorder = createPostgresUsageRecorder(prepared(database), { report: () => {} });
      recorder.used(id, USED_AT);
      return recorder.flush();
    };

  const replacements = async ({ id }: Token) => {
    const events = (await stage.store.audit.list({ limit: 20 })).map(({ event }) => event);
    return events.filter(({ action, subject }) => action === 'token.replaced' && subject.id === id);
  };

  test('on two nodes concurrently replaces its predecessor once', async () => {
    for (const table of ['tokens', 'token_usage'] as const) {
      const old = await givenOld();
      const successor = await givenSuccessor(stage.store, old);
      await refusedBefore(successor);
      const id = table === 'tokens' ? old.id : successor.id;
      await stage.race(use(successor), use(successor), { at: 'row', table, id });
      expect(await tokenNow(old)).toMatchObject({ replacedAt: USED_AT, expiresAt: USED_AT });
      expect(await replacements(old)).toHaveLength(1);
    }
  });

  test.each([
    ['the use', 'one'],
    ['the revocation', 'other'],
  ] as const)('while its predecessor is revoked, %s first', async (_, begins) => {
    const old = await givenOld();
    const successor = await givenSuccessor(stage.store, old);
    const revoke: Part<unknown> = ({ store, event }) => store.tokens.revoke(old.id, aRevocation(), event());
    await stage.race(use(successor), revoke, { at: 'row', table: 'tokens', id: old.id }, begins);
    const replacedAt = begins === 'one' ? USED_AT : null;
    expect(await tokenNow(old)).toMatchObject({ revocation: aRevocation(), replacedAt });
    expect(await replacements(old)).toHaveLength(begins === 'one' ? 1 : 0);
  });

  test.each([
    ['the use', 'one'],
    ['the end', 'other'],
  ] as const)('while its owner is disabled, %s first: no deadlock', async (_, begins) => {
    // If they took the two locks in different orders, each would hold one and wait for the other.
    for (const waitAt of ['old', 'successor'] as const) {
      const old = await givenOld();
      const pair = { old, successor: await givenSuccessor(stage.store, old) };
      const disable: Part<unknown> = ({ store, event }) =>
        store.users.disable(old.userId, aRevocation(), event());
      await stage.race(
        use(pair.successor),
        disable,
        { at: 'row', table: 'tokens', id: pair[waitAt].id },
        begins,
      );
      expect(await tokenNow(old)).toMatchObject({ revocation: aRevocation() });
      expect(await tokenNow(pair.successor)).toMatchObject({ revocation: aRevocation() });
    }
  });

  /** Revokes the successor and inserts another while its use waits to be stored. */
  async function raceForPlace(use: (successor: Successor) => Part<void>): Promise<Token | undefined> {
    const old = await givenOld();
    const successor = await givenSuccessor(stage.store, old);
    await refusedBefore(successor);
    const replace: Part<void> = async ({ store: { tokens } }) => {
      await tokens.revoke(successor.id, aRevocation(), anEvent());
      expect(await tokens.rotate(aSuccessor(old), { by: old.userId }, [anEvent()])).toEqual(ok(undefined));
    };
    await stage.race(use(successor), replace, { at: 'row', table: 'token_usage', id: successor.id });
    return tokenNow(old);
  }

  test('and was revoked before that was stored replaces nothing', async () => {
    expect(await raceForPlace(use)).toMatchObject({ replacedAt: null, expiresAt: null });
  });

  test('and was revoked before replaces, and is detected, without its lock', async () => {
    expect(await raceForPlace((successor) => use(successor, withoutLocks))).toMatchObject({
      replacedAt: USED_AT,
    });
  });

  /** Gives the test a row to wait at. */
  async function refusedBefore({ id }: Successor): Promise<void> {
    const recorder = createPostgresUsageRecorder(stage.database, { report: () => {} });
    recorder.refused(id, START, 'insufficient_scope');
    await recorder.flush();
  }
});
