import {
  type AuditEvent,
  formatInstant,
  type Revocation,
  tokenRevoked,
  type UserId,
} from '@gatehouse/domain';
import { type Kysely, sql } from 'kysely';
import { insertAuditEvents } from './audit-events.ts';
import type { Schema } from './schema.ts';
import { tokenColumns, toToken } from './token-records.ts';

/**
 * Revokes those of the user's tokens that are not revoked yet, because of the change that `cause` tells of.
 * The caller holds the user's row, so that no token is made meanwhile.
 */
export async function endTokensOf(
  tx: Kysely<Schema>,
  { userId, kinds }: { readonly userId: UserId; readonly kinds: 'all' | 'sign-in' },
  revocation: Revocation,
  cause: AuditEvent,
): Promise<void> {
  // tokens_user_id
  const live = tx
    .updateTable('tokens')
    .set({
      revoked_at: formatInstant(revocation.at),
      revoked_by: JSON.stringify(revocation.by),
      revoked_reason: revocation.reason,
    })
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .returning(tokenColumns);
  const ended = kinds === 'all' ? live : live.where('kind', '=', sql.lit(kinds));
  const tokens = (await ended.execute()).map(toToken);
  const { actor, origin, at } = cause;
  await insertAuditEvents(
    tx,
    tokens.map((token) => ({ ...tokenRevoked(token, revocation), actor, origin, at })),
  );
}
