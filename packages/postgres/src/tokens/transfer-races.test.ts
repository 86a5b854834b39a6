import { err, ok } from '@gatehouse/domain';
import {
  aRevocation,
  aToken,
  givenActiveKey,
  givenAdmins,
  givenToken,
  givenUser,
} from '@gatehouse/domain/testing';
import type { Token } from '@gatehouse/domain/tokens';
import type { User, UserRepository } from '@gatehouse/domain/users';
import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { GATE_HOLDS, type Hold, openStage, type Part, type Side } from '../../testing/stage.ts';
import { insertToken } from './insert-token.ts';

type Disabled = Awaited<ReturnType<UserRepository['disable']>>;

interface Scene {
  /** The user who is disabled, and has an API token "ERP" that goes to the other. */
  readonly from: User;
  readonly to: User;
}

describe('tokens that are transferred during other changes', { timeout: 60_000 }, async () => {
  const stage = await openStage();
  afterAll(stage.close);

  async function setScene(): Promise<Scene> {
    const [from, to] = await givenAdmins(stage.store);
    await givenUser(stage.store, to.accountId);
    await givenToken(stage.store, from, { name: 'ERP' });
    return { from, to };
  }

  const holdsOf = ({ from }: Scene): readonly Hold[] => [
    ...GATE_HOLDS,
    { at: 'row', table: 'accounts', id: from.accountId },
  ];

  const transfer =
    ({ from, to }: Scene): Part<Disabled> =>
    ({ store, event }) =>
      store.users.disable(from.id, aRevocation(), event(), { transferTo: to.id });

  /** Races the transfer with another change, in every staging; each of them begins first once. */
  async function raceTransfer<T>(other: (scene: Scene) => Promise<Part<T>>) {
    const races: { scene: Scene; first: 'transfer' | 'other'; transferred: Disabled; outcome: T }[] = [];
    for (const first of ['transfer', 'other'] as const) {
      for (const index of holdsOf(await setScene()).keys()) {
        const scene = await setScene();
        const part = await other(scene);
        const hold = holdsOf(scene)[index] as Hold;
        const begins = first === 'transfer' ? 'one' : 'other';
        const [transferred, outcome] = await stage.race(transfer(scene), part, hold, begins);
        races.push({ scene, first, transferred, outcome });
      }
    }
    return races;
  }

  const liveNamesOf = async ({ id }: User) => {
    const { rows } = await sql<{ name: string }>`
      select name from tokens where user_id = ${id} and revoked_at is null`.execute(stage.database.queries);
    return rows.map(({ name }) => name);
  };

  type Insert = (side: Side, token: Token) => unknown;

  const makeFor =
    (who: 'from' | 'to', name: string, insert: Insert) =>
    async (scene: Scene): Promise<Part<unknown>> => {
      const token = aToken(scene[who], await givenActiveKey(stage.store), { name });
      return async (side) => insert(side, token);
    };

  const safely: Insert = ({ store, event }, token) => store.tokens.insert(token, event());

  test('the new owner has one token of a name, whichever comes first', async () => {
    for (const race of await raceTransfer(makeFor('to', 'ERP', safely))) {
      expect(await liveNamesOf(race.scene.to)).toEqual(['ERP']);
      const refused = [race.transferred, race.outcome].filter((outcome) => !(outcome as Disabled).ok);
      const code = race.first === 'transfer' ? 'token_name_taken' : 'transfer_names_taken';
      expect(refused).toMatchObject([{ error: { code } }]);
    }
  });

  test('two tokens with one name are detected if creating a token does not lock the account first', async () => {
    const unsafely: Insert = ({ database, event }, token) => insertToken(database.queries, token, event());
    const races = await raceTransfer(makeFor('to', 'ERP', unsafely));
    const names = await Promise.all(races.map(({ scene }) => liveNamesOf(scene.to)));
    expect(names).toContainEqual(['ERP', 'ERP']);
  });

  test('a token that is being created is transferred with the others, or not created', async () => {
    for (const { scene, first, transferred, outcome } of await raceTransfer(
      makeFor('from', 'Wiki', safely),
    )) {
      expect(await liveNamesOf(scene.from)).toEqual([]);
      expect((await liveNamesOf(scene.to)).sort()).toEqual(first === 'transfer' ? ['ERP'] : ['ERP', 'Wiki']);
      expect(transferred).toMatchObject(ok({ transferred: first === 'transfer' ? 1 : 2 }));
      expect(outcome).toEqual(first === 'transfer' ? err({ code: 'creator_not_fit' }) : ok(undefined));
    }
  });

  test.each([
    ['disabled', 0],
    ['demoted', 1],
  ])('a user who is %s meanwhile gets none, or had them before', async (what, left) => {
    const races = await raceTransfer(async ({ to }): Promise<Part<unknown>> => {
      return ({ store: { users }, event }) =>
        what === 'disabled'
          ? users.disable(to.id, aRevocation(), event())
          : users.setRole(to.id, 'member', () => event());
    });
    for (const { scene, first, transferred, outcome } of races) {
      expect(outcome).toMatchObject(ok({ already: false }));
      const isFirst = first === 'transfer';
      if (isFirst) expect(transferred).toMatchObject(ok({ transferred: 1 }));
      else expect(transferred).toEqual(err({ code: 'transfer_target_not_fit' }));
      expect(await liveNamesOf(scene.to)).toHaveLength(isFirst ? left : 0);
      expect(await liveNamesOf(scene.from)).toHaveLength(isFirst ? 0 : 1);
    }
  });
});
