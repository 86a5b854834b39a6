import { type AuditEvent, actingUser } from '@gatehouse/domain/audit';
import type { Queries } from '../database/schema.ts';
import { lockAccount } from '../database/statements/row-locks.ts';
import { selectAdmins } from './active-admins.ts';

/**
 * Returns whether the user whom the event names as its actor is still an active admin of the event's account, and the
 * account is not suspended. Another admin may have demoted or disabled the actor since the request was authorized. An
 * operator may always act.
 *
 * Locks the account. The answer stays true until the transaction ends, because every transaction that demotes or
 * disables a user locks the account, too. Therefore the caller must not have locked users, tokens or other rows
 * before, unless it had locked the account first.
 */
export async function actorMayAct(
  tx: Queries,
  event: Pick<AuditEvent, 'actor' | 'accountId'>,
): Promise<boolean> {
  const userId = actingUser(event);
  if (userId === undefined) return true;
  if (event.accountId === null) return false;
  const account = await lockAccount(tx, event.accountId);
  if (!account || account.suspendedAt !== null) return false;
  // A separate statement: one that waited for the lock would still read users as they were when it began.
  const admin = selectAdmins(tx, event.accountId).where('id', '=', userId);
  return (await admin.executeTakeFirst()) !== undefined;
}
