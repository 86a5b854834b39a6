import type { AccountId } from '@gatehouse/domain/accounts';
import { formatInstant, type Instant } from '@gatehouse/domain/time';
import type { UserId } from '@gatehouse/domain/users';
import { type RawBuilder, sql } from 'kysely';
import type { Queries } from '../database/schema.ts';

/** The domain's `confirmedUntil` for a row of `users`, by the index token_policies_pkey. */
const untilFrom = (confirmedAt: RawBuilder<unknown>) => sql`${confirmedAt} + (
  select confirm_within_ms from token_policies
  where account_id = users.account_id and holder = 'person') * interval '1 millisecond'`;

/**
 * Applies a changed rule to the persons of the account whom an identity provider ever confirmed. The caller must have
 * locked the account against change, so that no person is confirmed meanwhile by the former rule.
 */
export async function renewConfirmations(tx: Queries, accountId: AccountId): Promise<void> {
  await sql`
    update users set confirmed_until = ${untilFrom(sql`confirmed_at`)}
    where account_id = ${accountId} and confirmed_at is not null`.execute(tx);
}

/**
 * Stores that an identity provider confirmed the person at this time. The caller must have locked the account in share
 * mode, and then the user. In an account without the rule, servers are not told, because nothing changes that they read.
 */
export async function confirmPerson(tx: Queries, userId: UserId, at: Instant): Promise<void> {
  const when = sql`${formatInstant(at)}::timestamptz`;
  await sql`
    update users set confirmed_at = ${when}, confirmed_until = ${untilFrom(when)} where id = ${userId}`.execute(
    tx,
  );
}
