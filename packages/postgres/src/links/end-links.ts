import type { AuditEvent } from '@gatehouse/domain/audit';
import { invitationRevoked } from '@gatehouse/domain/links';
import type { UserId } from '@gatehouse/domain/users';
import { insertAuditEvents } from '../audit/audit-events.ts';
import type { Queries } from '../database/schema.ts';

/** Deletes the password-reset link of a user. The caller must have locked the row of the user. */
export async function endResetLinksFor(tx: Queries, id: UserId): Promise<void> {
  await tx.deleteFrom('reset_links').where('user_id', '=', id).execute();
}

/**
 * Ends the links that could outlive a change of a user: the reset links for and by the user, and the invitations that
 * the user made. The caller must have locked the account, and writes the event `cause`, which says why they end.
 */
export async function endLinksOf(tx: Queries, id: UserId, { actor, origin, at }: AuditEvent): Promise<void> {
  // Uses the indexes reset_links_pkey, reset_links_made_by and invitations_invited_by.
  await tx
    .deleteFrom('reset_links')
    .where(({ or, eb }) => or([eb('user_id', '=', id), eb('made_by', '=', id)]))
    .execute();
  const ended = await tx
    .deleteFrom('invitations')
    .where('invited_by', '=', id)
    .returning(['id', 'account_id as accountId', 'email'])
    .execute();
  if (ended.length === 0) return;
  const reason = 'the admin who made it is no longer an active admin';
  await insertAuditEvents(
    tx,
    ended.map((invitation) => ({ ...invitationRevoked(invitation, { at, reason }), actor, origin })),
  );
}
