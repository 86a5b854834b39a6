import { err, ok } from '@gatehouse/domain';
import {
  aRevocation,
  aSuccessor,
  aToken,
  givenActiveKey,
  givenAdmins,
  givenToken,
  START,
} from '@gatehouse/domain/testing';
import { addMilliseconds } from '@gatehouse/domain/time';
import type { Token, TokenChanges } from '@gatehouse/domain/tokens';
import type { User } from '@gatehouse/domain/users';
import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { GATE_HOLDS, type Hold, openStage, type Part } from '../../testing/stage.ts';
import { withoutLocks, withoutReservations } from '../../testing/without-locks.ts';
import type { Database } from '../database/database.ts';
import { createPostgresTokenRepository } from './token-repository.ts';

type Sabotage = (database: Database) => Database;

const untouched: Sabotage = (database) => database;

describe('a token that is updated during other changes', { timeout: 60_000 }, async () => {
  const stage = await openStage();
  afterAll(stage.close);

  const update =
    ({ id }: Token, changes: TokenChanges, prepared = untouched): Part<unknown> =>
    async ({ database, event }) => {
      const tokens = createPostgresTokenRepository(prepared(database));
      const updated = await tokens.update(id, changes, START, () => event({ action: 'token.updated' }));
      return updated.ok ? ok('updated') : updated;
    };

  const liveNamesOf = async ({ id }: User) => {
    const { rows } = await sql<{ name: string }>`
      select name from tokens where user_id = ${id} and revoked_at is null order by name`.execute(
      stage.database.queries,
    );
    return rows.map(({ name }) => name);
  };

  const taken = err({ code: 'token_name_taken' });

  async function raceToName(prepared = untouched) {
    const outcomes: unknown[][] = [];
    for (const hold of GATE_HOLDS) {
      const [user] = await givenAdmins(stage.store);
      const [one, other] = [await givenToken(stage.store, user), await givenToken(stage.store, user)];
      const rename = (token: Token) => update(token, { name: 'ERP' }, prepared);
      outcomes.push(await stage.race(rename(one), rename(other), hold));
    }
    return outcomes;
  }

  test('has a new name alone: another that is renamed to it at once is refused', async () => {
    expect(await raceToName()).toEqual(GATE_HOLDS.map(() => [ok('updated'), taken]));
  });

  test('has it beside another, and is detected, without the reservation of the name', async () => {
    expect(await raceToName(withoutReservations)).toContainEqual([ok('updated'), ok('updated')]);
  });

  async function raceWithCreation(prepared = untouched) {
    const outcomes: unknown[][] = [];
    for (const begins of ['one', 'other'] as const) {
      for (const hold of GATE_HOLDS) {
        const [user] = await givenAdmins(stage.store);
        const token = await givenToken(stage.store, user);
        const made = aToken(user, await givenActiveKey(stage.store), { name: 'ERP' });
        const create: Part<unknown> = ({ store, event }) => store.tokens.insert(made, event());
        const raced = await stage.race(update(token, { name: 'ERP' }, prepared), create, hold, begins);
        outcomes.push(begins === 'one' ? raced : raced.toReversed());
      }
    }
    return outcomes;
  }

  test('has a new name alone: one that is created with it at once is refused, or it is', async () => {
    for (const [first, second] of await raceWithCreation()) {
      expect(first).toMatchObject({ ok: true });
      expect(second).toEqual(taken);
    }
  });

  test('has it beside a new one, and is detected, without the reservation of the name', async () => {
    const both = [expect.objectContaining({ ok: true }), expect.objectContaining({ ok: true })];
    expect(await raceWithCreation(withoutReservations)).toContainEqual(both);
  });

  async function raceWithTransfer(prepared = untouched) {
    const names: (readonly string[])[] = [];
    for (const begins of ['one', 'other'] as const) {
      for (const letGo of [...GATE_HOLDS, 'account'] as const) {
        const [from, to] = await givenAdmins(stage.store);
        await givenToken(stage.store, from, { name: 'ERP' });
        const theirs = await givenToken(stage.store, to, { name: 'Wiki' });
        const hold: Hold = letGo === 'account' ? { at: 'row', table: 'accounts', id: from.accountId } : letGo;
        const transfer: Part<unknown> = ({ store, event }) =>
          store.users.disable(from.id, aRevocation(), event(), { transferTo: to.id });
        await stage.race(update(theirs, { name: 'ERP' }, prepared), transfer, hold, begins);
        names.push(await liveNamesOf(to));
      }
    }
    return names;
  }

  test('never has the name of one that its owner is given', async () => {
    for (const names of await raceWithTransfer()) expect(new Set(names).size).toBe(names.length);
  });

  test('has it, and is detected, without locks', async () => {
    expect(await raceWithTransfer(withoutLocks)).toContainEqual(['ERP', 'ERP']);
  });

  const END = addMilliseconds(START, 60_000);

  async function raceWithRotation(changes: TokenChanges, prepared = untouched) {
    const outcomes: unknown[][] = [];
    for (const begins of ['one', 'other'] as const) {
      const [user] = await givenAdmins(stage.store);
      const token = await givenToken(stage.store, user);
      const rotate: Part<unknown> = ({ store, event }) =>
        store.tokens.rotate(aSuccessor(token), { by: user.id }, [event()]);
      const hold: Hold = { at: 'row', table: 'tokens', id: token.id };
      outcomes.push(await stage.race(update(token, changes, prepared), rotate, hold, begins));
    }
    return outcomes;
  }

  test('while it is rotated has a successor that takes after it, or none', async () => {
    const changed = [ok('updated'), err({ code: 'token_changed' })];
    const beingReplaced = err({
      code: 'token_not_updatable',
      reason: 'being_replaced',
      successorId: expect.any(String),
    });
    expect(await raceWithRotation({ name: 'Wiki' })).toEqual([changed, [beingReplaced, ok(undefined)]]);
    // A rotation that came first stays: the new end applies to the old token only.
    expect(await raceWithRotation({ expiresAt: END })).toEqual([changed, [ok('updated'), ok(undefined)]]);
  });

  test('is renamed apart from its successor, and is detected, without its lock', async () => {
    expect(await raceWithRotation({ name: 'Wiki' }, withoutLocks)).toContainEqual([
      ok('updated'),
      ok(undefined),
    ]);
  });

  test('while it is revoked is revoked, and is not changed after that', async () => {
    for (const begins of ['one', 'other'] as const) {
      const [user] = await givenAdmins(stage.store);
      const token = await givenToken(stage.store, user);
      const revoke: Part<unknown> = ({ store, event }) =>
        store.tokens.revoke(token.id, aRevocation(), event());
      const hold: Hold = { at: 'row', table: 'tokens', id: token.id };
      const [updated] = await stage.race(update(token, { name: 'Wiki' }), revoke, hold, begins);
      expect(updated).toEqual(
        begins === 'one' ? ok('updated') : err({ code: 'token_not_updatable', reason: 'revoked' }),
      );
      expect((await stage.store.tokens.findRecord(token.id))?.revocation).not.toBeNull();
    }
  });
});
