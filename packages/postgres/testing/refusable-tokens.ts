import {
  anEvent,
  aRevocation,
  aSigningKey,
  aToken,
  givenAccount,
  givenUser,
  START,
} from '@gatehouse/domain/testing';
import { addMilliseconds, formatInstant, type Instant } from '@gatehouse/domain/time';
import { RECORD_REFUSALS, type RecordRefusal, type Token, type TokenDetails } from '@gatehouse/domain/tokens';
import type { User } from '@gatehouse/domain/users';
import { sql } from 'kysely';
import type { Queries } from '../src/database/schema.ts';
import { insertedColumns, insertedValues, tokenRowOf } from '../src/tokens/token-columns.ts';
import { openTestDatabase } from './open-test-store.ts';

/** The facts on which a token's state depends: the domain's reasons, and whether a successor was used, or exists. */
const FACTS = [...RECORD_REFUSALS, 'replaced', 'succeeded'] as const;
type Fact = (typeof FACTS)[number];
type Facts = Readonly<Record<Fact, boolean>>;

const COMBINATIONS: readonly Facts[] = Array.from(
  { length: 2 ** FACTS.length },
  (_, bits) => Object.fromEntries(FACTS.map((fact, index) => [fact, (bits >> index) % 2 === 1])) as Facts,
);

/** The time at which states are read; the expired tokens expire then. */
export const NOW: Instant = addMilliseconds(START, 1000);

/** The address from which each token was used. */
export const ADDRESS = '192.0.2.7';

/**
 * Makes a reason apply to the rows that tokens refer to, after the tokens were stored; `own` is part of the token. No
 * port makes all combinations, such as a live token of a disabled user.
 */
const MADE: Readonly<Record<RecordRefusal, 'own' | ((queries: Queries, of: Refused) => Promise<unknown>)>> = {
  key_retired: (queries, { keyIds }) =>
    sql`update signing_keys set state = 'retired', activated_at = now(), retired_at = now()
      where id = any(${keyIds})`.execute(queries),
  revoked: 'own',
  expired: 'own',
  user_disabled: (queries, { userIds }) =>
    sql`update users set disabled_at = now() where id = any(${userIds})`.execute(queries),
  not_confirmed: (queries, { userIds }) =>
    sql`update users set confirmed_until = ${formatInstant(NOW)} where id = any(${userIds})`.execute(queries),
  account_suspended: (queries, { accountIds }) =>
    sql`update accounts set suspended_at = now() where id = any(${accountIds})`.execute(queries),
};

/** The ids of the rows that the tokens with a reason refer to. */
interface Refused {
  readonly keyIds: readonly string[];
  readonly userIds: readonly number[];
  readonly accountIds: readonly number[];
}

/** Stores an API token for each combination of these facts, and a successor of each, in a private database. */
export async function openRefusableTokens() {
  const { database, store, close } = await openTestDatabase();
  const { queries } = database;
  const keys = new Map<boolean, ReturnType<typeof aSigningKey>>();
  const users = new Map<string, User>();
  for (const refused of [false, true]) {
    const key = aSigningKey({ state: 'verify-only', activatedAt: START });
    await store.signingKeys.insert(key, anEvent());
    keys.set(refused, key);
    const account = await givenAccount(store);
    for (const disabled of [false, true]) {
      for (const unconfirmed of [false, true]) {
        users.set(`${refused} ${disabled} ${unconfirmed}`, await givenUser(store, account.id));
      }
    }
  }
  const insert = (token: Token) =>
    sql`insert into tokens ${insertedColumns} select ${insertedValues(tokenRowOf(token))}`.execute(queries);

  const ids: Token['id'][] = [];
  const refused = new Map<RecordRefusal, Token[]>(RECORD_REFUSALS.map((reason) => [reason, []]));
  for (const facts of COMBINATIONS) {
    const user = users.get(`${facts.account_suspended} ${facts.user_disabled} ${facts.not_confirmed}`);
    const [key, good] = [keys.get(facts.key_retired), keys.get(false)];
    if (!user || !key || !good) throw new Error('every user and key is there');
    const token = aToken(user, key, {
      expiresAt: facts.expired ? NOW : facts.replaced ? addMilliseconds(NOW, 1) : null,
      replacedAt: facts.replaced ? START : null,
      revocation: facts.revoked ? aRevocation() : null,
    });
    await insert(token);
    // A revoked successor counts as none.
    const revocation = facts.succeeded ? null : aRevocation();
    const successor = aToken(user, good, { replaces: { tokenId: token.id, graceMs: 0 }, revocation });
    await insert(successor);
    ids.push(token.id, successor.id);
    for (const reason of RECORD_REFUSALS) if (facts[reason]) refused.get(reason)?.push(token);
  }
  for (const [reason, tokens] of refused) {
    const make = MADE[reason];
    const [keyIds, userIds, accountIds] = [
      tokens.map(({ keyId }) => keyId),
      tokens.map(({ userId }) => userId),
      tokens.map(({ accountId }) => accountId),
    ];
    if (make !== 'own') await make(queries, { keyIds, userIds, accountIds });
  }
  await sql`update token_usage set last_refused_at = now(), last_refused_reason = 'expired'`.execute(queries);
  const addresses = JSON.stringify([{ address: ADDRESS, first: START, last: START, times: 1 }]);
  await sql`insert into token_addresses (token_id, used, refused)
    select id, ${addresses}::jsonb, '[]' from tokens`.execute(queries);

  const tokens: TokenDetails[] = [];
  for (const id of ids) tokens.push((await store.tokens.find(id)) as TokenDetails);
  return { store, tokens, close };
}
