import { err } from '@gatehouse/domain';
import { A_HASH, aRevocation, givenAdmin, givenAdmins } from '@gatehouse/domain/testing';
import { emailKey, type PasswordHash, type UserId, type UserRepository } from '@gatehouse/domain/users';
import { recordFigures, sized } from '@gatehouse/fault-figures';
import { afterAll, describe, expect, test } from 'vitest';
import { GATE_HOLDS, openStage, type Part } from '../../testing/stage.ts';
import { withoutLocks } from '../../testing/without-locks.ts';
import type { Database } from '../database/database.ts';
import { createPostgresRepositories } from '../repositories.ts';
import { createPostgresUserRepository } from './user-repository.ts';

/** A round has 8 races for hashes: 125 rounds make a thousand. */
const ROUNDS = sized({ short: 1, full: 125 });

const NEW_HASH = '$test$new' as PasswordHash;
const STRONGER = '$test$stronger' as PasswordHash;

type Rehash = (database: Database) => Pick<UserRepository, 'replacePasswordHash'>;

describe('concurrent changes of users', { timeout: 60_000 * ROUNDS }, async () => {
  const stage = await openStage();
  afterAll(stage.close);

  /** Returns what is stored when a sign-in strengthens the old password's hash while a new password is set. */
  async function raceHashes(rehash: Rehash): Promise<(PasswordHash | undefined)[]> {
    const stored: (PasswordHash | undefined)[] = [];
    for (const begins of ['one', 'other'] as const) {
      for (const holdAt of ['row', ...GATE_HOLDS] as const) {
        const { id, email } = await givenAdmin(stage.store);
        const strengthen: Part<void> = ({ database }) =>
          rehash(database).replacePasswordHash(id, { verified: A_HASH, hash: STRONGER, form: 'normal' });
        const setPassword: Part<unknown> = ({ store, event }) =>
          store.users.setPassword(id, NEW_HASH, aRevocation(), event());
        const hold = holdAt === 'row' ? ({ at: 'row', table: 'users', id } as const) : holdAt;
        await stage.race(strengthen, setPassword, hold, begins);
        stored.push((await stage.store.users.findCredentials(emailKey(email)))?.passwordHash);
      }
    }
    return stored;
  }

  test('a rehash does not bring an old password back', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const stored = await raceHashes((database) => createPostgresRepositories(database).users);
      expect(stored).toEqual(Array(8).fill(NEW_HASH));
    }
    const name = 'hash being strengthened, against a new password: races that brought the old one back';
    recordFigures('W1', [{ name, measured: `0 of ${8 * ROUNDS}`, bar: '0', holds: true }]);
  });

  test('an old password comes back, and is detected, without checking the verified hash', async () => {
    const stored = await raceHashes(({ queries }) => ({
      async replacePasswordHash(id, { hash }) {
        await queries.updateTable('users').set({ password_hash: hash }).where('id', '=', id).execute();
      },
    }));
    expect(stored).toContain(STRONGER);
  });

  type Change = (id: UserId) => Part<{ readonly ok: boolean }>;

  /** Races two changes of an account's two admins, in every staging. */
  async function raceAdmins(one: Change, other: Change) {
    const outcomes: (readonly { readonly ok: boolean }[])[] = [];
    for (const hold of GATE_HOLDS) {
      const [first, second] = await givenAdmins(stage.store);
      outcomes.push(await stage.race(one(first.id), other(second.id), hold));
    }
    return outcomes;
  }

  const demote: Change =
    (id) =>
    ({ store, event }) =>
      store.users.setRole(id, 'member', () => event());
  const disable: Change =
    (id) =>
    ({ store, event }) =>
      store.users.disable(id, aRevocation(), event());

  test.each([
    ['disabled', disable, disable],
    ['demoted', demote, demote],
    ['demoted and disabled', demote, disable],
    ['disabled and demoted', disable, demote],
  ])('an account keeps an admin when its two last ones are %s', async (_, one, other) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const outcomes of await raceAdmins(one, other)) {
        expect(outcomes).toEqual([expect.objectContaining({ ok: true }), err({ code: 'last_admin' })]);
      }
    }
  });

  test('an account loses its last admin, and is detected, without locking the account', async () => {
    const disableUnlocked: Change =
      (id) =>
      ({ database, event }) =>
        createPostgresUserRepository(withoutLocks(database)).disable(id, aRevocation(), event());
    const races = await raceAdmins(disableUnlocked, disableUnlocked);
    expect(races.some((outcomes) => outcomes.every(({ ok }) => ok))).toBe(true);
  });
});
