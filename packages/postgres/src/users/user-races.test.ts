import { err, ok } from '@gatehouse/domain';
import { A_HASH, anEvent, aRevocation, givenAccount, givenUser } from '@gatehouse/domain/testing';
import { emailKey, type PasswordHash, type UserId, type UserRepository } from '@gatehouse/domain/users';
import { recordFigures, sized } from '@gatehouse/fault-figures';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { GATE_HOLDS, openStage, type Part, type Stage } from '../../testing/stage.ts';
import { insertAuditEvents } from '../audit/audit-events.ts';
import type { Database } from '../database/database.ts';
import { createPostgresRepositories } from '../repositories.ts';
import { selectUsers } from './user-records.ts';

/** 8 races a round for hashes: 125 rounds make a thousand. */
const ROUNDS = sized({ short: 5, full: 125 });

const NEW_HASH = '$test$new' as PasswordHash;
const STRONGER = '$test$stronger' as PasswordHash;

type Rehash = (database: Database) => Pick<UserRepository, 'replacePasswordHash'>;

describe('concurrent changes of users', { timeout: 60_000 * ROUNDS }, () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.close());

  /** A sign-in strengthens the old password's hash while a new password is set: what is stored then? */
  async function raceHashes(rehash: Rehash): Promise<(PasswordHash | undefined)[]> {
    const stored: (PasswordHash | undefined)[] = [];
    for (const begins of ['rehash', 'setPassword']) {
      for (const holdAt of ['row', ...GATE_HOLDS] as const) {
        const { id: accountId } = await givenAccount(stage.store);
        const { id, email } = await givenUser(stage.store, accountId);
        const strengthen: Part<void> = ({ database }) =>
          rehash(database).replacePasswordHash(id, { verified: A_HASH, stronger: STRONGER });
        const setPassword: Part<unknown> = ({ database, origin }) =>
          createPostgresRepositories(database).users.setPassword(
            id,
            NEW_HASH,
            aRevocation(),
            anEvent({ origin }),
          );
        const hold = holdAt === 'row' ? ({ at: 'row', table: 'users', id } as const) : holdAt;
        const [first, second] = begins === 'rehash' ? [strengthen, setPassword] : [setPassword, strengthen];
        await stage.race<unknown, unknown>(first, second, hold);
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
    recordFigures('W1', [
      {
        name: 'hash being strengthened, against a new password: races that brought the old one back',
        measured: `0 of ${8 * ROUNDS}`,
        bar: '0',
        holds: true,
      },
    ]);
  });

  test('an old password comes back, and is detected, without checking the verified hash', async () => {
    const stored = await raceHashes(({ queries }) => ({
      async replacePasswordHash(id, { stronger }) {
        await queries.updateTable('users').set({ password_hash: stronger }).where('id', '=', id).execute();
      },
    }));
    expect(stored).toContain(STRONGER);
  });

  type Disable = (database: Database) => Pick<UserRepository, 'disable'>;

  async function raceAdmins(disable: Disable) {
    const outcomes: Awaited<ReturnType<UserRepository['disable']>>[][] = [];
    for (const hold of GATE_HOLDS) {
      const { id: accountId } = await givenAccount(stage.store);
      const admins = [
        await givenUser(stage.store, accountId),
        await givenUser(stage.store, accountId),
      ] as const;
      const [one, other] = admins.map(
        ({ id }): Part<Awaited<ReturnType<UserRepository['disable']>>> =>
          ({ database, origin }) =>
            disable(database).disable(id, aRevocation(), anEvent({ origin })),
      ) as [Part<never>, Part<never>];
      outcomes.push(await stage.race(one, other, hold));
    }
    return outcomes;
  }

  test('an account keeps an admin when its two last ones are disabled', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [first, second] of await raceAdmins(
        (database) => createPostgresRepositories(database).users,
      )) {
        expect(first).toMatchObject(ok({}));
        expect(second).toEqual(err({ code: 'last_admin' }));
      }
    }
  });

  test('an account keeps an admin when its two last ones are demoted, or one of them disabled', async () => {
    const demote =
      (id: UserId): Part<unknown> =>
      ({ database, origin }) =>
        createPostgresRepositories(database).users.setRole(id, 'member', () => anEvent({ origin }));
    const disable =
      (id: UserId): Part<unknown> =>
      ({ database, origin }) =>
        createPostgresRepositories(database).users.disable(id, aRevocation(), anEvent({ origin }));
    for (const [one, other] of [
      [demote, demote],
      [demote, disable],
      [disable, demote],
    ] as const) {
      for (const hold of GATE_HOLDS) {
        const { id: accountId } = await givenAccount(stage.store);
        const first = await givenUser(stage.store, accountId);
        const second = await givenUser(stage.store, accountId);
        const outcomes = await stage.race(one(first.id), other(second.id), hold);
        expect(outcomes).toEqual([expect.objectContaining({ ok: true }), err({ code: 'last_admin' })]);
      }
    }
  });

  test('an account loses its last admin, and is detected, without locking the account', async () => {
    const outcomes = await raceAdmins(({ queries }) => ({
      disable: (id, _revocation, event) =>
        queries.transaction().execute(async (tx) => {
          const { rows } = await sql<{ id: number }>`
            select id from users where disabled_at is null
              and account_id = (select account_id from users where id = ${id})`.execute(tx);
          if (rows.length === 1) return err({ code: 'last_admin' });
          await sql`update users set disabled_at = now() where id = ${id}`.execute(tx);
          await insertAuditEvents(tx, [event]);
          const user = selectUsers(tx).where('id', '=', id);
          return ok({
            user: await user.executeTakeFirstOrThrow(),
            already: false,
            transferred: 0,
            renamed: [],
            revoked: 0,
          });
        }),
    }));
    expect(outcomes.some((pair) => pair.every((outcome) => outcome.ok))).toBe(true);
  });
});
