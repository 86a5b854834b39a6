import type { AuditEvent } from '@gatehouse/domain/audit';
import type { Instant } from '@gatehouse/domain/time';
import { tokenTransferred } from '@gatehouse/domain/tokens';
import type { TransferNamesTaken, TransferTargetNotFit, User, UserId } from '@gatehouse/domain/users';
import { type Kysely, type SqlBool, sql } from 'kysely';
import { insertAuditEvents } from '../audit/audit-events.ts';
import type { Schema } from '../database/schema.ts';
import { isLiveAt } from './live-tokens.ts';
import { forEachBatch } from './token-batches.ts';
import { holdsName } from './token-names.ts';

/**
 * Returns why the API tokens of one user cannot be transferred to another; undefined if they can. The caller holds the
 * account's row, without which no token is created in it, and both users' rows.
 */
export async function refuseTransfer(
  tx: Kysely<Schema>,
  { from, to }: { readonly from: User; readonly to: User | undefined },
  at: Instant,
): Promise<TransferTargetNotFit | TransferNamesTaken | undefined> {
  const fit =
    to?.accountId === from.accountId && to.id !== from.id && to.role === 'admin' && to.disabledAt === null;
  if (!fit) return { code: 'transfer_target_not_fit' };
  // tokens_api_name
  const { rows } = await sql<{ name: string }>`
    select name from tokens where user_id = ${from.id} and ${holdsName(at)}
    intersect
    select name from tokens where user_id = ${to.id} and ${holdsName(at)}`.execute(tx);
  return rows.length === 0
    ? undefined
    : { code: 'transfer_names_taken', names: rows.map(({ name }) => name).sort() };
}

/** Transfers the live API tokens of one user to another, and returns their number. */
export async function transferTokens(
  tx: Kysely<Schema>,
  { from, to }: { readonly from: UserId; readonly to: UserId },
  { actor, origin, at }: AuditEvent,
): Promise<number> {
  let transferred = 0;
  // tokens_live_of_user
  const condition = sql<SqlBool>`user_id = ${from} and kind = 'api' and ${isLiveAt(at)}`;
  await forEachBatch(tx, condition, async (tokens) => {
    transferred += tokens.length;
    await tx
      .updateTable('tokens')
      .set({ user_id: to })
      .where(sql<SqlBool>`id = any(${tokens.map(({ id }) => id)}::uuid[])`)
      .execute();
    await insertAuditEvents(
      tx,
      tokens.map((token) => ({ ...tokenTransferred(token, { at, to }), actor, origin })),
    );
  });
  return transferred;
}
