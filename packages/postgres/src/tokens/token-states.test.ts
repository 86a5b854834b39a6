import { anEvent, aSigningKey, aToken, givenAccount, givenUser, START } from '@gatehouse/domain/testing';
import { addMilliseconds, formatInstant } from '@gatehouse/domain/time';
import type { Token, TokenDetails, TokenFilter } from '@gatehouse/domain/tokens';
import { isAcceptedIn, TOKEN_STATES, tokenState } from '@gatehouse/domain/tokens';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase } from '../../testing/open-test-store.ts';

/**
 * What a token's state depends on, in every combination: in rows made by hand, because no port makes some of them,
 * such as a token that is good though its user is disabled.
 */
const FACTS = ['retired', 'revoked', 'expired', 'replaced', 'succeeded', 'disabled', 'suspended'] as const;
type Facts = Readonly<Record<(typeof FACTS)[number], boolean>>;

const ALL: readonly Facts[] = Array.from(
  { length: 2 ** FACTS.length },
  (_, bits) => Object.fromEntries(FACTS.map((fact, index) => [fact, (bits >> index) % 2 === 1])) as Facts,
);
const NOW = addMilliseconds(START, 1000);

const { database, store, close } = await openTestDatabase();
afterAll(close);
const { queries } = database;
const entries: TokenDetails[] = [];
beforeAll(async () => {
  const [good, retired] = [aSigningKey(), aSigningKey()];
  for (const key of [good, retired]) await store.signingKeys.insert(key, anEvent());
  const users = new Map<string, Awaited<ReturnType<typeof givenUser>>>();
  for (const suspended of [false, true]) {
    const account = await givenAccount(store);
    for (const disabled of [false, true]) {
      users.set(`${suspended} ${disabled}`, await givenUser(store, account.id));
    }
    if (suspended)
      await sql`update accounts set suspended_at = now() where id = ${account.id}`.execute(queries);
  }

  const insert = async (token: Token, revoked: boolean) => {
    await sql`
      insert into tokens (id, account_id, user_id, subject, kind, name, format, key_id, scopes, created_at,
        expires_at, replaces, grace_ms, replaced_at, revoked_at, revoked_by)
      values (${token.id}, ${token.accountId}, ${token.userId}, ${token.subject}, ${token.kind}, ${token.name},
        ${token.format}, ${token.keyId}, ${token.scopes}, ${formatInstant(token.createdAt)},
        ${token.expiresAt && formatInstant(token.expiresAt)}, ${token.replaces?.tokenId ?? null},
        ${token.replaces?.graceMs ?? null}, ${token.replacedAt && formatInstant(token.replacedAt)},
        ${revoked ? formatInstant(START) : null},
        ${revoked ? JSON.stringify({ kind: 'operator', name: 'root' }) : null})`.execute(queries);
  };
  const made: Token[] = [];
  for (const facts of ALL) {
    const user = users.get(`${facts.suspended} ${facts.disabled}`);
    if (!user) throw new Error('every user is there');
    const token = aToken(user, facts.retired ? retired : good, {
      expiresAt: facts.expired ? NOW : facts.replaced ? addMilliseconds(NOW, 1) : null,
      replacedAt: facts.replaced ? START : null,
    });
    await insert(token, facts.revoked);
    // A successor that was revoked is none.
    const successor = aToken(user, good, { replaces: { tokenId: token.id, graceMs: 0 } });
    await insert(successor, !facts.succeeded);
    made.push(token, successor);
  }
  await sql`update users set disabled_at = now() where id = any(${[...users].flatMap(([facts, { id }]) => (facts.endsWith('true') ? [id] : []))})`.execute(
    queries,
  );
  await sql`
    update signing_keys set state = 'retired', activated_at = now(), retired_at = now()
    where id = ${retired.id}`.execute(queries);
  for (const { id } of made) entries.push((await store.tokens.find(id)) as TokenDetails);
});
async function listed(filter: TokenFilter) {
  return (await store.tokens.list({ ...filter, now: NOW, limit: 1000 })).map((token) => token.id);
}

const idsOf = (holds: (entry: TokenDetails) => boolean) => entries.filter(holds).map((token) => token.id);

test.each(TOKEN_STATES)('the tokens listed as %s are those with that state in the domain', async (state) => {
  const ids = idsOf((entry) => tokenState(entry, NOW) === state);
  expect(ids.length).toBeGreaterThan(0);
  expect(await listed({ state })).toEqual(ids);
});

test('the filters for valid tokens select those that the domain accepts', async () => {
  const accepted = (entry: TokenDetails) => isAcceptedIn(tokenState(entry, NOW));
  expect(await listed({ unusedSince: NOW })).toEqual(idsOf(accepted));
  const expiring = (entry: TokenDetails) => accepted(entry) && entry.expiresAt !== null;
  expect(await listed({ expiringBefore: addMilliseconds(NOW, 2) })).toEqual(idsOf(expiring));
});
