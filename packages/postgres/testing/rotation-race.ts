import type { SigningKey } from '@gatehouse/domain/signing-keys';
import {
  anEvent,
  aRevocation,
  aSigningKey,
  aSuccessor,
  aToken,
  givenAccount,
  givenUser,
  START,
} from '@gatehouse/domain/testing';
import type { Successor, Token, TokenRepository } from '@gatehouse/domain/tokens';
import type { User, UserId } from '@gatehouse/domain/users';
import type { Database } from '../src/database/database.ts';
import { createPostgresRepositories } from '../src/repositories.ts';
import { GATE_HOLDS, type Hold, type Part, type Stage } from './stage.ts';

/** What ends a token or its successor, or transfers them. */
export const ENDERS = ['revoke', 'disable', 'transfer', 'suspend', 'retire'] as const;
export type Ender = (typeof ENDERS)[number];

interface Scene {
  readonly owner: User;
  readonly heir: UserId;
  readonly old: Token;
  readonly successor: Successor;
  /** Signs only the successor. */
  readonly key: SigningKey;
}

type Rotated = Awaited<ReturnType<TokenRepository['rotate']>>;

/** Rotates a token while another transaction ends it, in every staging, and returns the violations. */
export async function raceForSuccessor(
  stage: Stage,
  tokensOf: (database: Database) => TokenRepository,
  ender: Ender,
): Promise<{ readonly rotated: number; readonly races: number; readonly violations: readonly string[] }> {
  let [rotated, races] = [0, 0];
  const violations: string[] = [];
  for (const begins of ['rotation', 'ender'] as const) {
    for (const holdAt of ['row', ...GATE_HOLDS] as const) {
      const scene = await setScene(stage);
      const rotate: Part<Rotated> = ({ database, origin }) =>
        tokensOf(database).rotate(scene.successor, [anEvent({ action: 'token.rotated', origin })]);
      const end: Part<{ readonly ok: boolean }> = (side) => run(ender, scene, side);
      const hold: Hold = holdAt === 'row' ? { at: 'row', ...rowOf(ender, scene) } : holdAt;
      const [rotation, ending] =
        begins === 'rotation'
          ? await stage.race(rotate, end, hold)
          : (await stage.race(end, rotate, hold)).toReversed();
      races += 1;
      if (rotation?.ok) rotated += 1;
      if (!ending?.ok) violations.push(`${ender} was refused`);
      violations.push(...(await judge(stage, ender, scene, rotation as Rotated)));
    }
  }
  return { rotated, races, violations };
}

async function setScene({ store }: Stage): Promise<Scene> {
  const { id: accountId } = await givenAccount(store);
  const heir = await givenUser(store, accountId);
  const owner = await givenUser(store, accountId);
  const keys = [1, 2].map(() => aSigningKey({ state: 'verify-only', activatedAt: START }));
  for (const key of keys) await store.signingKeys.insert(key, anEvent());
  const [first, key] = keys as [SigningKey, SigningKey];
  const old = aToken(owner, first);
  await store.tokens.insert(old, {}, anEvent());
  return { owner, heir: heir.id, old, successor: aSuccessor(old, { keyId: key.id }), key };
}

const EVENTS = {
  revoke: 'token.revoked',
  disable: 'user.disabled',
  transfer: 'user.disabled',
  suspend: 'account.suspended',
  retire: 'key.retired',
} as const;

function run(
  ender: Ender,
  { owner, heir, old, key }: Scene,
  { database, origin }: Parameters<Part<unknown>>[0],
): Promise<{ readonly ok: boolean }> {
  const { accounts, users, signingKeys, tokens } = createPostgresRepositories(database);
  const event = anEvent({ action: EVENTS[ender], origin });
  switch (ender) {
    case 'revoke':
      return tokens.revoke(old.id, aRevocation(), event);
    case 'disable':
      return users.disable(owner.id, aRevocation(), event);
    case 'transfer':
      return users.disable(owner.id, aRevocation(), event, { transferTo: heir });
    case 'suspend':
      return accounts.suspend(owner.accountId, START, event);
    case 'retire':
      return signingKeys.retire(key.id, START, aRevocation(), event);
  }
}

/** The row for which both sides wait. */
function rowOf(ender: Ender, { owner, old, key }: Scene) {
  if (ender === 'revoke') return { table: 'tokens', id: old.id } as const;
  if (ender === 'retire') return { table: 'signing_keys', id: key.id } as const;
  return { table: 'accounts', id: owner.accountId } as const;
}

const REFUSALS: Readonly<Record<Ender, string>> = {
  revoke: 'token_not_rotatable',
  disable: 'token_not_rotatable',
  transfer: 'creator_not_fit',
  suspend: 'creator_not_fit',
  retire: 'key_not_usable',
};

async function judge(
  { store }: Stage,
  ender: Ender,
  { old, successor, heir }: Scene,
  rotation: Rotated,
): Promise<string[]> {
  const made = await store.tokens.findRecord(successor.id);
  if (!rotation.ok) {
    const { code } = rotation.error;
    return [
      ...(made ? ['a refused successor has a record'] : []),
      ...(code === REFUSALS[ender] ? [] : [`refused as ${code}`]),
    ];
  }
  if (!made) return ['an accepted successor has no record'];
  const violations: string[] = [];
  if ((ender === 'disable' || ender === 'retire') && !made.revocation) {
    violations.push(`the successor outlives ${ender}`);
  }
  if (ender === 'transfer' && made.userId !== heir) violations.push('the successor stays with who is gone');
  // The newest are first; transactions that wait for each other are recorded in the order of their commits.
  const actions = (await store.audit.list({ limit: 10 })).map(({ event }) => event.action);
  if (actions.indexOf('token.rotated') < actions.indexOf(EVENTS[ender])) {
    violations.push(`${old.name} was rotated after ${ender}`);
  }
  return violations;
}
