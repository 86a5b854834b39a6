import type { Instant } from '@gatehouse/domain/time';
import type { DisableFacts, User, UserRepository } from '@gatehouse/domain/users';
import { type RawBuilder, sql } from 'kysely';
import { onPrimary } from '../database/primary/primary-only.ts';
import type { Queries } from '../database/schema.ts';
import { isLiveAt } from '../tokens/refusal-conditions.ts';
import { liveTokensAt, toUser, USER } from './user-facts.ts';

type Lists = Omit<DisableFacts, 'user'>;

/** Reads in one statement what has to be decided before a user is disabled. */
export function findDisableFacts(queries: Queries): UserRepository['findDisableFacts'] {
  return async (id, { at, limit }) => {
    const { rows } = await sql<User & Lists>`
      select ${USER}, ${liveTokensAt(at)} as "liveTokens", ${tokens(at, limit)} as tokens,
        ${answered(limit)} as "serviceAccounts", ${owners(limit)} as owners
      from users where users.id = ${id} and ${onPrimary}`.execute(queries);
    const [row] = rows;
    if (!row) return undefined;
    const { liveTokens, tokens: live, serviceAccounts, owners: found } = row;
    return { user: toUser(row), liveTokens, tokens: live, serviceAccounts, owners: found };
  };
}

/** A list of objects, sorted by name, in the rows that a query selects. */
const listOf = (facts: RawBuilder<unknown>, query: RawBuilder<unknown>, order: RawBuilder<unknown>) => sql`
  (select coalesce(jsonb_agg(${facts} order by ${order}), '[]') from (${query}) as each)`;

/** Uses the index tokens_live_of_user. */
const tokens = (at: Instant, limit: number) =>
  listOf(
    sql`jsonb_build_object('id', each.id, 'name', each.name)`,
    sql`select id, name from tokens where user_id = users.id and kind = 'api' and ${isLiveAt(at)}
      order by lower(name) collate "C", id limit ${limit}`,
    sql`lower(each.name) collate "C", each.id`,
  );

/** Uses the index service_users_responsible_id. */
const answered = (limit: number) =>
  listOf(
    sql`jsonb_build_object('id', each.id, 'name', each.name)`,
    sql`select program.id, program.name from service_users
      join users as program on program.id = service_users.user_id
      where service_users.responsible_id = users.id and program.disabled_at is null
      order by lower(program.name) collate "C", program.id limit ${limit}`,
    sql`lower(each.name) collate "C", each.id`,
  );

/** Uses the indexes users_admins, and service_users_account_id. */
const owners = (limit: number) =>
  listOf(
    sql`jsonb_build_object('id', each.id, 'kind', each.kind, 'role', each.role, 'name', each.name, 'email', each.email)`,
    sql`select other.id, other.kind, other.role, other.name, other.email from users as other
      where other.account_id = users.account_id and other.id <> users.id and other.disabled_at is null
        and (other.role = 'admin'
          or other.id in (select user_id from service_users where service_users.account_id = users.account_id))
      order by other.kind, lower(other.name) collate "C", other.id limit ${limit}`,
    sql`each.kind, lower(each.name) collate "C", each.id`,
  );
