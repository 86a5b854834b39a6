import type { AccountId } from '@gatehouse/domain/accounts';
import type { SigningKey } from '@gatehouse/domain/signing-keys';
import {
  A_HASH,
  anEvent,
  aRevocation,
  aSigningKey,
  aToken,
  givenAccount,
  givenUser,
  START,
} from '@gatehouse/domain/testing';
import type { Token, TokenKind, TokenRepository } from '@gatehouse/domain/tokens';
import type { PasswordHash, User } from '@gatehouse/domain/users';
import type { Database } from '../src/database/database.ts';
import { createPostgresRepositories } from '../src/repositories.ts';
import { GATE_HOLDS, type Hold, type Part, type Stage } from './stage.ts';

/** What ends tokens, or prevents their creation. */
export const ENDERS = ['disable', 'suspend', 'setPassword', 'retire'] as const;
export type Ender = (typeof ENDERS)[number];

interface TokenRace {
  readonly kind: TokenKind;
  readonly ender: Ender;
  readonly begins: 'insert' | 'ender';
  readonly hold: Hold['at'];
  readonly letGo?: 'first' | 'second' | 'both';
}

/** All stagings of the race of this pair. */
export function stagings(kind: TokenKind, ender: Ender): readonly TokenRace[] {
  return (['insert', 'ender'] as const).flatMap((begins) => [
    ...GATE_HOLDS.map((hold) => ({ kind, ender, begins, ...hold, hold: hold.at })),
    { kind, ender, begins, hold: 'row' as const },
  ]);
}

interface Scene {
  readonly accountId: AccountId;
  readonly user: User;
  readonly key: SigningKey;
}

export interface RaceResult {
  readonly inserted: boolean;
  /** The violations. */
  readonly violations: readonly string[];
}

/** Creates a token while another transaction ends it, with the repository under test, and checks the result. */
export async function raceForToken(
  stage: Stage,
  tokensOf: (database: Database) => TokenRepository,
  race: TokenRace,
): Promise<RaceResult> {
  const scene = await setScene(stage);
  const token = aToken(scene.user, scene.key, { kind: race.kind });
  const insert: Part<Awaited<ReturnType<TokenRepository['insert']>>> = ({ database, origin }) =>
    tokensOf(database).insert(
      token,
      race.kind === 'sign-in' ? { verifiedHash: A_HASH } : {},
      anEvent({ action: 'token.created', origin }),
    );
  const end: Part<{ readonly ok: boolean }> = (side) => run(race.ender, scene, side);
  const hold: Hold =
    race.hold === 'gate'
      ? { at: 'gate', letGo: race.letGo ?? 'first' }
      : { at: 'row', ...rowOf(race.ender, scene) };

  if (race.begins === 'insert') {
    const [inserted, ended] = await stage.race(insert, end, hold);
    return judge(stage, race, token, { inserted, ended });
  }
  const [ended, inserted] = await stage.race(end, insert, hold);
  return judge(stage, race, token, { inserted, ended });
}

async function setScene({ store }: Stage): Promise<Scene> {
  const { id: accountId } = await givenAccount(store);
  await givenUser(store, accountId);
  const user = await givenUser(store, accountId);
  const key = aSigningKey({ state: 'verify-only', activatedAt: START });
  await store.signingKeys.insert(key, anEvent());
  return { accountId, user, key };
}

const EVENTS = {
  disable: 'user.disabled',
  suspend: 'account.suspended',
  setPassword: 'user.password_set',
  retire: 'key.retired',
} as const;

function run(
  ender: Ender,
  { accountId, user, key }: Scene,
  { database, origin }: Parameters<Part<unknown>>[0],
): Promise<{ readonly ok: boolean }> {
  const { accounts, users, signingKeys } = createPostgresRepositories(database);
  const event = anEvent({ action: EVENTS[ender], origin });
  switch (ender) {
    case 'disable':
      return users.disable(user.id, aRevocation(), event);
    case 'suspend':
      return accounts.suspend(accountId, START, event);
    case 'setPassword':
      return users.setPassword(user.id, '$test$new' as PasswordHash, aRevocation(), event);
    case 'retire':
      return signingKeys.retire(key.id, START, aRevocation(), event);
  }
}

/** The row for which both sides wait. */
function rowOf(ender: Ender, { accountId, user, key }: Scene) {
  if (ender === 'retire') return { table: 'signing_keys', id: key.id } as const;
  if (ender === 'setPassword') return { table: 'users', id: user.id } as const;
  return { table: 'accounts', id: accountId } as const;
}

const REFUSALS = {
  disable: 'creator_not_fit',
  suspend: 'creator_not_fit',
  setPassword: 'password_changed',
  retire: 'key_not_usable',
} as const;

async function judge(
  { store }: Stage,
  { kind, ender }: TokenRace,
  token: Token,
  outcome: { inserted: Awaited<ReturnType<TokenRepository['insert']>>; ended: { readonly ok: boolean } },
): Promise<RaceResult> {
  const violations: string[] = [];
  if (!outcome.ended.ok) violations.push(`${ender} was refused`);
  const concerned = ender !== 'setPassword' || kind === 'sign-in';
  const record = await store.tokens.findRecord(token.id);
  const { inserted } = outcome;
  if (!inserted.ok) {
    if (record) violations.push('a refused token has a record');
    if (!concerned) violations.push('an API token was refused because of a password');
    if (inserted.error.code !== REFUSALS[ender]) violations.push(`refused as ${inserted.error.code}`);
    return { inserted: false, violations };
  }

  if (!record) return { inserted: true, violations: [...violations, 'an accepted token has no record'] };
  const revokes = ender !== 'suspend';
  if (concerned && revokes && !record.revocation) violations.push(`the token outlives ${ender}`);
  // The newest are first; transactions that wait for each other are recorded in the order of their commits.
  const actions = (await store.audit.list({ limit: 10 })).map(({ event }) => event.action);
  if (concerned && actions.indexOf('token.created') < actions.indexOf(EVENTS[ender])) {
    violations.push(`the token was made after ${ender}`);
  }
  return { inserted: true, violations };
}
