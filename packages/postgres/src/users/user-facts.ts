import type { Instant } from '@gatehouse/domain/time';
import { MAX_TOKENS_COUNTED, type User } from '@gatehouse/domain/users';
import { sql } from 'kysely';
import { isLiveAt } from '../tokens/refusal-conditions.ts';

/** The columns of a user `users`, by the names of the domain. */
export const USER = sql`
  users.id, users.account_id as "accountId", users.kind, users.email, users.name, users.role,
  users.created_at as "createdAt", users.disabled_at as "disabledAt",
  users.confirmed_until as "confirmedUntil"`;

/** The number of live API tokens of a user `users`, by the index tokens_live_of_user. */
export const liveTokensAt = (at: Instant) => sql<number>`(
  select count(*)::integer from (
    select from tokens where user_id = users.id and kind = 'api' and ${isLiveAt(at)}
    limit ${MAX_TOKENS_COUNTED + 1}) as live)`;

export function toUser(row: User): User {
  const { id, accountId, kind, email, name, role, createdAt, disabledAt, confirmedUntil } = row;
  return Object.freeze({ id, accountId, kind, email, name, role, createdAt, disabledAt, confirmedUntil });
}
