import { err, type Result } from '@gatehouse/domain';
import { aRevocation, givenAdmins, givenToken, START } from '@gatehouse/domain/testing';
import type { Token } from '@gatehouse/domain/tokens';
import type { User } from '@gatehouse/domain/users';
import { afterAll, describe, expect, test } from 'vitest';
import { GATE_HOLDS, openStage, type Part } from '../../testing/stage.ts';
import { withoutLocks } from '../../testing/without-locks.ts';
import type { Database } from '../database/database.ts';
import { createPostgresTokenRepository } from './token-repository.ts';

type Outcome = Result<unknown, { readonly code: string }>;
type Sabotage = (database: Database) => Database;
type Scene = { readonly acting: User; readonly token: Token; readonly prepared: Sabotage };
type Change = (scene: Scene) => Part<Outcome>;

const untouched: Sabotage = (database) => database;

describe('a change of a token by an admin who loses the rights meanwhile', { timeout: 60_000 }, async () => {
  const stage = await openStage();
  afterAll(stage.close);

  const actorOf = ({ id }: User) => ({ kind: 'user', id }) as const;

  const revoke: Change =
    ({ acting, token, prepared }) =>
    ({ database, event }) => {
      const [{ accountId }, actor] = [acting, actorOf(acting)];
      const tokens = createPostgresTokenRepository(prepared(database));
      return tokens.revoke(token.id, aRevocation({ by: actor }), event({ actor, accountId }));
    };
  const update: Change =
    ({ acting, token, prepared }) =>
    ({ database, event }) => {
      const [{ accountId }, actor] = [acting, actorOf(acting)];
      const tokens = createPostgresTokenRepository(prepared(database));
      return tokens.update(token.id, { name: 'Wiki' }, START, () => event({ actor, accountId }));
    };

  const demoteActing: Change =
    ({ acting }) =>
    ({ store, event }) =>
      store.users.setRole(acting.id, 'member', () => event());
  const disableActing: Change =
    ({ acting }) =>
    ({ store, event }) =>
      store.users.disable(acting.id, aRevocation(), event());

  /** Races the end of an admin's rights, which begins first, with a change that this admin makes. */
  async function race(ending: Change, change: Change, prepared = untouched) {
    const outcomes: Outcome[] = [];
    for (const hold of GATE_HOLDS) {
      const [owner, acting] = await givenAdmins(stage.store);
      const scene = { acting, token: await givenToken(stage.store, owner), prepared };
      const [ended, changed] = await stage.race(ending(scene), change(scene), hold);
      expect(ended).toMatchObject({ ok: true });
      outcomes.push(changed);
    }
    return outcomes;
  }

  const refused = err({ code: 'not_allowed' });
  const ENDINGS = { demoted: demoteActing, disabled: disableActing };

  test.each([
    ['a revocation', 'demoted', revoke],
    ['a revocation', 'disabled', revoke],
    ['a new name', 'demoted', update],
    ['a new name', 'disabled', update],
  ] as const)('%s is refused if the admin is %s first', async (_, ended, change) => {
    expect(await race(ENDINGS[ended], change)).toEqual([refused, refused, refused]);
  });

  test.each([
    ['a revocation', revoke],
    ['a new name', update],
  ] as const)('%s is made, and is detected, without locking the account', async (_, change) => {
    expect((await race(demoteActing, change, withoutLocks)).some(({ ok }) => ok)).toBe(true);
  });
});
