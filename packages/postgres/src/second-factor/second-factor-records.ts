import type {
  PendingSecretHash,
  RecoveryCodeHash,
  SecondFactorPolicy,
  SecondFactorState,
} from '@gatehouse/domain/second-factor';
import type { Instant } from '@gatehouse/domain/time';
import type { UserId } from '@gatehouse/domain/users';
import { sql } from 'kysely';
import type { Queries } from '../database/schema.ts';

export const bytesOf = (hash: RecoveryCodeHash | PendingSecretHash) => Buffer.from(hash, 'hex');

/** Selects what a sign-in needs to know about the second factor, for a join of users and accounts. */
export const secondFactorColumns = ['users.second_factor_at', 'accounts.second_factor'] as const;

interface SecondFactorRow {
  readonly second_factor_at: Instant | null;
  readonly second_factor: 'admins' | null;
}

export function toSecondFactorState(row: SecondFactorRow): SecondFactorState {
  return Object.freeze({ enrolledAt: row.second_factor_at, policy: policyOf(row) });
}

/** The policy of a row of accounts. A column without a value demands none. */
export const policyOf = (row: Pick<SecondFactorRow, 'second_factor'>): SecondFactorPolicy =>
  row.second_factor ?? 'optional';

/** The number of recovery codes that a user of `second_factors` has left. Uses the index recovery_codes_pkey. */
export const RECOVERY_CODES_LEFT = sql<number>`(
  select count(*)::integer from recovery_codes where recovery_codes.user_id = second_factors.user_id)`;

export async function insertRecoveryCodes(
  tx: Queries,
  userId: UserId,
  hashes: readonly RecoveryCodeHash[],
): Promise<void> {
  if (hashes.length === 0) return;
  const rows = hashes.map((hash) => ({ user_id: userId, code_hash: bytesOf(hash) }));
  await tx.insertInto('recovery_codes').values(rows).execute();
}

/**
 * Deletes the user's second factor with its recovery codes, and the sign-ins that wait for its code. The caller must have
 * locked the row of the user.
 */
export async function deleteSecondFactor(tx: Queries, userId: UserId): Promise<void> {
  await tx.updateTable('users').set({ second_factor_at: null }).where('id', '=', userId).execute();
  await tx.deleteFrom('second_factors').where('user_id', '=', userId).execute();
  await tx.deleteFrom('pending_sign_ins').where('user_id', '=', userId).execute();
}
