import { authorized, MANAGE_WEBHOOKS } from '../access/index.ts';
import type { Ports } from '../ports.ts';
import { err, ok } from '../result.ts';
import { type SendPorts, sendMessage } from './send-message.ts';
import { type Attempt, TEST_ACTION, type WebhookId } from './webhook.ts';
import { testMessage } from './webhook-message.ts';
import { isDelivered } from './webhook-sender.ts';
import { whichOf } from './which-webhook.ts';

/**
 * Sends a message of the type `webhook.test` at once, also to a webhook that is disabled, and returns how it ended. At
 * most one test of a webhook runs at a time, and `MAX_TESTS` begin within a minute: a receiver is not flooded.
 */
export const testWebhook = authorized(
  MANAGE_WEBHOOKS,
  (ports: SendPorts & Ports<'webhooks'>) => async (caller, id: WebhookId) => {
    const { webhooks, clock } = ports;
    const at = clock.now();
    const begun = await webhooks.beginTest(whichOf(caller, id), at);
    if (!begun.ok) return begun;
    const sealed = await webhooks.findSealed(id);
    if (!sealed) return err({ code: 'webhook_not_found' });
    const sent = await sendMessage(ports, sealed, testMessage(sealed.webhook, at));
    if (!sent.ok) return sent;
    const { retryAfter: _, ...outcome } = sent.value;
    const attempt: Attempt = { at, position: null, action: TEST_ACTION, outcome };
    await webhooks.recordAttempt(id, attempt, isDelivered(outcome));
    return ok({ webhook: sealed.webhook, outcome });
  },
);
