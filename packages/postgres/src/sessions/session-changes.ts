import type {
  OwnSession,
  SecretRenewal,
  Session,
  SessionId,
  VerifiedCredentials,
} from '@gatehouse/domain/sessions';
import { NOT_GIVEN } from '@gatehouse/domain/sessions';
import { formatInstant, type Instant } from '@gatehouse/domain/time';
import type { PasswordHash, UserId } from '@gatehouse/domain/users';
import type { Queries } from '../database/schema.ts';
import { sessionColumns, toSession } from './session-records.ts';

/** Whether the stored credentials, which `lockCredentials` returned, are no longer the verified ones. */
export function haveChanged(
  stored: { readonly passwordHash: PasswordHash | null; readonly secondFactorAt: Instant | null },
  { verifiedHash, secondFactorAt = null }: VerifiedCredentials,
): boolean {
  return stored.passwordHash !== verifiedHash || stored.secondFactorAt !== secondFactorAt;
}

/**
 * Replaces the secret of the user's session. Returns false if the session no longer has the secret that is to be
 * replaced. The caller must have locked the row of the user.
 */
export async function renewSecret(
  tx: Queries,
  { id, userId }: OwnSession,
  at: Instant,
  { from, to }: SecretRenewal,
): Promise<boolean> {
  const own = tx
    .updateTable('sessions')
    .set({
      secret_hash: Buffer.from(to, 'hex'),
      replaced_hash: Buffer.from(from, 'hex'),
      replaced_at: formatInstant(at),
      is_renewal_due: false,
    })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('secret_hash', '=', Buffer.from(from, 'hex'));
  return (await own.returning('id').executeTakeFirst()) !== undefined;
}

/**
 * Makes the user's sessions ask for the password again, and marks their secrets to be renewed. The caller must have
 * locked the row of the user.
 */
export async function makeRenewalDue(tx: Queries, userId: UserId): Promise<void> {
  // Uses the index sessions_user_id.
  const own = tx.updateTable('sessions').where('user_id', '=', userId);
  await own.set({ is_renewal_due: true, password_given_at: formatInstant(NOT_GIVEN) }).execute();
}

/**
 * Makes the user's sessions that a password opened ask for it again, except for `kept`. The caller must have locked the
 * row of the user, so that no session is created or confirmed meanwhile.
 */
export async function takeBackPasswords(tx: Queries, userId: UserId, kept: SessionId): Promise<void> {
  // Uses the index sessions_user_id.
  const others = tx.updateTable('sessions').where('user_id', '=', userId).where('id', '<>', kept);
  const opened = others.where('provider', 'is', null);
  await opened.set({ password_given_at: formatInstant(NOT_GIVEN) }).execute();
}

/**
 * Ends the user's sessions except for `kept`, and returns the ended sessions, the newest before older ones. The caller
 * must have locked the row of the user, so that no session is created meanwhile.
 */
export async function endSessionsOf(
  tx: Queries,
  userId: UserId,
  kept?: SessionId,
): Promise<readonly Session[]> {
  // Uses the index sessions_user_id.
  const all = tx.deleteFrom('sessions').where('user_id', '=', userId).returning(sessionColumns);
  const ended = await (kept === undefined ? all : all.where('id', '<>', kept)).execute();
  return ended.map(toSession).toSorted((one, other) => other.createdAt - one.createdAt);
}
