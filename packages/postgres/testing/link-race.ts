import type { Result } from '@gatehouse/domain';
import {
  aRevocation,
  givenAdmins,
  givenInvitation,
  givenResetLink,
  givenUser,
  START,
} from '@gatehouse/domain/testing';
import type { Database } from '../src/database/database.ts';
import { GATE_HOLDS, type Hold, type Part, type Stage } from './stage.ts';

export type Outcome = Result<unknown, { readonly code: string }>;

/** The use of a code, made of repositories that can be sabotaged. */
export type Use = (scene: LinkScene, prepared: Sabotage) => Part<Outcome>;
/** A change that ends a link. */
export type Ending = (scene: LinkScene) => Part<Outcome>;
export type Sabotage = (database: Database) => Database;
export type LinkScene = Awaited<ReturnType<typeof setScene>>;

export const untouched: Sabotage = (database) => database;

/** The changes that end every link of an admin. */
export const ENDINGS_OF_MAKERS: Readonly<Record<string, Ending>> = {
  'the demotion of its maker':
    ({ maker }) =>
    ({ store, event }) =>
      store.users.setRole(maker.id, 'member', () => event()),
  'the end of its maker':
    ({ maker }) =>
    ({ store, event }) =>
      store.users.disable(maker.id, aRevocation(), event()),
  'the suspension of the account':
    ({ maker }) =>
    ({ store, event }) =>
      store.accounts.suspend(maker.accountId, START, event()),
};

const accountRow = ({ maker }: LinkScene) => ({ table: 'accounts', id: maker.accountId }) as const;
export const memberRow = ({ member }: LinkScene) => ({ table: 'users', id: member.id }) as const;

/** An account with an admin who invited a person, and made a password-reset link for a member. */
async function setScene({ store }: Stage) {
  const [colleague, maker] = await givenAdmins(store);
  const member = await givenUser(store, maker.accountId, { role: 'member' });
  const invitation = await givenInvitation(store, maker);
  const link = await givenResetLink(store, member, { madeBy: maker.id });
  return { colleague, maker, member, invitation, link };
}

/** A race between the use of a code and a change that ends the link, and what is left of it. */
interface Raced<Left> {
  readonly used: Outcome;
  readonly ended: Outcome;
  readonly left: Left;
}

/**
 * Races the use of a code with a change that ends the link, in every staging.
 *
 * @param begins which of them begins first, and therefore has the lock of the account first
 * @param row the row for which both wait in one of the stagings, which both of them lock
 * @param look reads what the race left in the database
 */
export async function raceForLink<Left>(
  stage: Stage,
  {
    use,
    ending,
    begins,
    look,
    row = accountRow,
  }: {
    readonly use: Use;
    readonly ending: Ending;
    readonly begins: 'use' | 'ending';
    readonly look: (scene: LinkScene) => Promise<Left>;
    readonly row?: typeof accountRow | typeof memberRow;
  },
  prepared = untouched,
): Promise<readonly Raced<Left>[]> {
  const raced: Raced<Left>[] = [];
  for (const holdAt of ['row', ...GATE_HOLDS] as const) {
    const scene = await setScene(stage);
    const hold: Hold = holdAt === 'row' ? { at: 'row', ...row(scene) } : holdAt;
    const sides = [use(scene, prepared), ending(scene)] as const;
    const [used, ended] = await stage.race(...sides, hold, begins === 'use' ? 'one' : 'other');
    raced.push({ used, ended, left: await look(scene) });
  }
  return raced;
}
