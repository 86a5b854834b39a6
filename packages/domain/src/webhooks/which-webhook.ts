import type { Operator, Principal } from '../access/index.ts';
import type { Ports } from '../ports.ts';
import { err, ok } from '../result.ts';
import type { Webhook, WebhookId } from './webhook.ts';
import type { WhichWebhook } from './webhook-repository.ts';

/** An admin finds the webhooks of the own account, and the operator finds all. */
export const whichOf = (caller: Principal | Operator, id: WebhookId): WhichWebhook =>
  caller.kind === 'operator' ? { id } : { id, of: caller.accountId };

/** Finds a webhook that the caller may manage. */
export async function findManaged(
  { webhooks }: Ports<'webhooks'>,
  caller: Principal | Operator,
  id: WebhookId,
) {
  const found = await webhooks.find(whichOf(caller, id));
  return found ? ok(found) : err({ code: 'webhook_not_found' });
}

/** The host of a webhook's address, as the audit log has it. An address that is refused by now has none. */
export function hostOf({ webhookSender }: Ports<'webhookSender'>, { url }: Pick<Webhook, 'url'>): string {
  const address = webhookSender.checkAddress(url);
  return address.ok ? address.value.host : 'an address that is refused';
}
