import type { AuditEvent } from '@gatehouse/domain/audit';
import type { Revocation } from '@gatehouse/domain/tokens';
import type { PasswordHash, UserId } from '@gatehouse/domain/users';
import type { Queries } from '../database/schema.ts';
import { endResetLinksFor } from '../links/end-links.ts';
import { endTokensOf } from '../tokens/end-tokens.ts';
import { noteNormalHash } from './normal-hashes.ts';

/**
 * Stores the hash of a new password, ends the links with which the user could reset the password, and revokes the user's
 * sign-in tokens. Returns how many of these were live. The caller must have locked the row of the user.
 */
export async function setHash(
  tx: Queries,
  id: UserId,
  hash: PasswordHash,
  revocation: Revocation,
  cause: AuditEvent,
): Promise<number> {
  await tx.updateTable('users').set({ password_hash: hash }).where('id', '=', id).execute();
  await noteNormalHash(tx, id, hash);
  await endResetLinksFor(tx, id);
  return endTokensOf(tx, id, ['sign-in'], revocation, cause);
}
