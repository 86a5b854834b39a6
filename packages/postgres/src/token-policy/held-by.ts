import type { AccountId } from '@gatehouse/domain/accounts';
import type { TokenHolder } from '@gatehouse/domain/token-policy';
import { type RawBuilder, sql } from 'kysely';
import type { Condition } from '../database/statements/conditions.ts';

/** The kind of holder that the owner of a row of `tokens` is, which never changes. Uses the index users_pkey. */
export const HOLDER: RawBuilder<TokenHolder> = sql`(select kind from users where users.id = tokens.user_id)`;

/** Whether the owner of a row of `tokens` is this kind of holder. */
export const isHeldBy = (holder: TokenHolder): Condition => sql`${HOLDER} = ${sql.lit(holder)}`;

/**
 * Whether the owner of a token of this account is a service account. These are read once for all rows, by the index
 * service_users_account_id.
 */
export const isOfServiceAccount = (accountId: AccountId): Condition =>
  sql`(tokens.user_id in (select user_id from service_users where account_id = ${accountId}))`;
