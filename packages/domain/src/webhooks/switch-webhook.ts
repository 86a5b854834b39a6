import { authorized, MANAGE_WEBHOOKS } from '../access/index.ts';
import { eventBy } from '../audit/event-by.ts';
import type { Ports } from '../ports.ts';
import type { WebhookId } from './webhook.ts';
import { webhookEvent } from './webhook-events.ts';
import { hostOf, whichOf } from './which-webhook.ts';

type SwitchPorts = Ports<'webhooks' | 'webhookSender' | 'clock'>;

/** Enables a webhook. It receives the events that are sealed from now on. */
export const enableWebhook = authorized(
  MANAGE_WEBHOOKS,
  (ports: SwitchPorts) => async (caller, id: WebhookId) =>
    ports.webhooks.setDisabled(whichOf(caller, id), null, (before) =>
      eventBy(caller, webhookEvent(ports.clock.now(), 'enabled', before, { host: hostOf(ports, before) })),
    ),
);

/** Disables a webhook. Messages that wait for it are dropped. */
export const disableWebhook = authorized(
  MANAGE_WEBHOOKS,
  (ports: SwitchPorts) => async (caller, id: WebhookId) => {
    const at = ports.clock.now();
    return ports.webhooks.setDisabled(whichOf(caller, id), { at, reason: 'requested' }, (before) =>
      eventBy(caller, webhookEvent(at, 'disabled', before, { host: hostOf(ports, before) })),
    );
  },
);
