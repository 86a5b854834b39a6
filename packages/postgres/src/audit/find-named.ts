import type { FoundNames, NamesQuery } from '@gatehouse/domain/audit';
import { parseTokenId, type TokenId } from '@gatehouse/domain/tokens';
import type { UserId } from '@gatehouse/domain/users';
import { type RawBuilder, sql } from 'kysely';
import { onPrimary } from '../database/primary/primary-only.ts';
import type { Queries } from '../database/schema.ts';
import { type Condition, or } from '../database/statements/conditions.ts';
import { emailKeysOf, isStoredUnder } from '../users/user-records.ts';

/** Finds users and API tokens by parts of their names, in one statement. */
export async function findNamed(db: Queries, query: NamesQuery): Promise<FoundNames> {
  const { user, token } = query;
  const users = user === undefined ? NONE : usersCalled(query, user);
  const tokens = token === undefined ? NONE : tokensCalled(query, token);
  // pg reads the elements of a bigint[] as texts.
  const { rows } = await sql<{ users: readonly string[]; tokens: readonly TokenId[] }>`
    select array(${users}) as users, array(${tokens})::text[] as tokens where ${onPrimary}`.execute(db);
  return {
    users: user === undefined ? undefined : (rows[0]?.users ?? []).map((id) => Number(id) as UserId),
    tokens: token === undefined ? undefined : (rows[0]?.tokens ?? []),
  };
}

const NONE = sql`select null::bigint where false`;

/** Uses the indexes users_email_key_unique and users_account_id. */
function usersCalled({ accountId, limit }: NamesQuery, part: string): RawBuilder<unknown> {
  const ofAccount = accountId === undefined ? sql`true` : sql`account_id = ${accountId}`;
  const exact = sql`select id from users where ${ofAccount} and ${isStoredUnder(emailKeysOf(part))}`;
  return sql`
    select id from users
    where ${ofAccount} and case when exists (${exact}) then id in (${exact})
      else ${or(contains(sql`name`, part), contains(sql`email`, part))} end
    order by id limit ${limit}`;
}

function tokensCalled({ accountId, limit }: NamesQuery, part: string): RawBuilder<unknown> {
  const ofAccount = accountId === undefined ? sql`true` : sql`account_id = ${accountId}`;
  const id = parseTokenId(part);
  const isCalled = id === undefined ? contains(sql`name`, part) : sql`id = ${id}`;
  return sql`
    select id from tokens where ${ofAccount} and kind = 'api' and ${isCalled} order by id desc limit ${limit}`;
}

/** `strpos` has no wildcards, unlike `like`. */
const contains = (text: RawBuilder<unknown>, part: string): Condition =>
  sql`strpos(lower(${text}), lower(${part}::text)) > 0`;
