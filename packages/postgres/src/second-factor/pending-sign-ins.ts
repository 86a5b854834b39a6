import type {
  PendingSecretHash,
  PendingSignIn,
  SecondFactorRepository,
} from '@gatehouse/domain/second-factor';
import { formatInstant, type Instant } from '@gatehouse/domain/time';
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { commitDurably } from '../database/statements/commit-durably.ts';
import { sweepOld } from '../database/statements/sweep.ts';
import { joinedUserColumns, toJoinedUser } from '../users/user-records.ts';
import { bytesOf } from './second-factor-records.ts';

type PendingSignIns = Pick<
  SecondFactorRepository,
  'insertPending' | 'findPending' | 'takePending' | 'sweepPending'
>;

/** The sign-ins that wait for a code. */
export function pendingSignIns({ queries, inTime }: Database): PendingSignIns {
  // Uses the indexes pending_sign_ins_pkey, users_pkey and accounts_pkey.
  const read = (hash: PendingSecretHash, createdAfter: Instant) =>
    queries
      .selectFrom('pending_sign_ins as pending')
      .innerJoin('users', 'users.id', 'pending.user_id')
      .innerJoin('accounts', 'accounts.id', 'users.account_id')
      .select(['pending.user_id', 'pending.verified_hash', 'pending.enrolled_at', 'pending.created_at'])
      .select(['users.account_id', ...joinedUserColumns])
      .where('pending.secret_hash', '=', bytesOf(hash))
      .where(sql<boolean>`pending.created_at > ${formatInstant(createdAfter)}`)
      .whereRef('users.password_hash', '=', 'pending.verified_hash')
      .whereRef('users.second_factor_at', '=', 'pending.enrolled_at')
      .where('users.disabled_at', 'is', null)
      .where('accounts.suspended_at', 'is', null)
      .executeTakeFirst();
  return {
    async insertPending({ secretHash, userId, verifiedHash, enrolledAt, createdAt }) {
      await queries
        .insertInto('pending_sign_ins')
        .values({
          secret_hash: bytesOf(secretHash),
          user_id: userId,
          verified_hash: verifiedHash,
          enrolled_at: formatInstant(enrolledAt),
          created_at: formatInstant(createdAt),
        })
        .execute();
    },

    async findPending(secretHash, createdAfter) {
      const row = await inTime(read(secretHash, createdAfter));
      if (!row) return undefined;
      const pending: PendingSignIn = Object.freeze({
        secretHash,
        userId: row.user_id,
        verifiedHash: row.verified_hash,
        enrolledAt: row.enrolled_at,
        createdAt: row.created_at,
      });
      return Object.freeze({ pending, user: toJoinedUser(row) });
    },

    takePending: (secretHash) =>
      commitDurably(queries, async (tx) => {
        const taken = tx.deleteFrom('pending_sign_ins').where('secret_hash', '=', bytesOf(secretHash));
        return (await taken.returning('user_id').executeTakeFirst()) !== undefined;
      }),

    sweepPending: (old) => sweepOld(queries, 'pending_sign_ins', old),
  };
}
