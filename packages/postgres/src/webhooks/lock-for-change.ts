import { err, ok, type Result } from '@gatehouse/domain';
import type { NotAllowed } from '@gatehouse/domain/access';
import type { AuditEvent } from '@gatehouse/domain/audit';
import type { Webhook, WebhookNotFound, WhichWebhook } from '@gatehouse/domain/webhooks';
import type { Queries } from '../database/schema.ts';
import { actorMayAct } from '../users/acting-admin.ts';
import { selectWebhooks, toWebhook } from './webhook-records.ts';

const NOT_FOUND: Result<never, WebhookNotFound> = err({ code: 'webhook_not_found' });

/**
 * Locks a webhook after the account of the actor, who must still be an active admin of it. Between the two, `hold` can
 * lock a signing key, and refuse the change.
 */
export async function lockForChange<Refusal = never>(
  tx: Queries,
  { id, of }: WhichWebhook,
  audit: (before: Webhook) => AuditEvent,
  hold: () => Promise<Result<void, Refusal>> = async () => ok(undefined),
): Promise<Result<Webhook, NotAllowed | WebhookNotFound | Refusal>> {
  const all = selectWebhooks(tx).where('id', '=', id);
  const meant = of === undefined ? all : all.where('account_id', '=', of);
  // The account of a webhook never changes, so it is known before the row is locked.
  const first = await meant.executeTakeFirst();
  if (!first) return NOT_FOUND;
  if (!(await actorMayAct(tx, audit(toWebhook(first))))) return err({ code: 'not_allowed' });
  const held = await hold();
  if (!held.ok) return held;
  // Another transaction may have deleted it before this one had the lock.
  const row = await meant.forUpdate().executeTakeFirst();
  return row ? ok(toWebhook(row)) : NOT_FOUND;
}
