import type { Ports } from '../ports.ts';
import type {
  Addressed,
  Delivery,
  DeliveryPlan,
  Handled,
  Lane,
  Reaction,
  ReactionName,
  SealedEvent,
} from '../reactions/reaction.ts';
import { retryAfterMs } from './retry-after.ts';
import { type SendPorts, sendMessage } from './send-message.ts';
import { MAX_WEBHOOKS, parseWebhookId, type Webhook, type WebhookId } from './webhook.ts';
import { webhookEvent } from './webhook-events.ts';
import { eventMessage } from './webhook-message.ts';
import { isDelivered, SEND_LIMIT_MS, type SendOutcome } from './webhook-sender.ts';
import { hostOf } from './which-webhook.ts';

const WEBHOOKS = 'webhooks' as ReactionName;

/** 20 tries, with pauses from 4 seconds to 12 hours: about three days. */
export const WEBHOOK_PLAN: DeliveryPlan = {
  // Longer than the sending itself, which must also be recorded.
  deadlineMs: SEND_LIMIT_MS + 5000,
  tries: 20,
  firstPauseMs: 4000,
  longestPauseMs: 12 * 3_600_000,
  // More than one account can have, so that one account whose receivers are slow does not take all places.
  concurrency: MAX_WEBHOOKS + 6,
};

export type WebhookReactionPorts = SendPorts &
  Ports<'webhooks'> & {
    /** Counts attempts. */
    readonly noteAttempt: (outcome: SendOutcome) => void;
  };

/** Sends events to webhooks: in order to each of them, and to different ones at the same time. */
export function createWebhookReaction(ports: WebhookReactionPorts): Reaction {
  return {
    name: WEBHOOKS,
    on: 'all',
    plan: WEBHOOK_PLAN,
    address: addressIn(ports),
    handle: handleIn(ports),
  };
}

const laneOf = ({ id }: Pick<Webhook, 'id'>) => `webhook ${id}` as Lane;

const idOf = (lane: Lane): WebhookId | undefined => parseWebhookId(lane.replace('webhook ', ''));

const addressIn =
  ({ webhooks }: Ports<'webhooks'>) =>
  async (events: readonly SealedEvent[]): Promise<readonly Addressed[]> => {
    const accounts = new Set(events.flatMap(({ event: { accountId } }) => accountId ?? []));
    const enabled = await webhooks.listEnabled([...accounts]);
    return events.flatMap((each) =>
      enabled
        .filter((webhook) => wants(webhook, each))
        .map((webhook) => ({ ...each, lane: laneOf(webhook) })),
    );
  };

function wants({ accountId, actions }: Pick<Webhook, 'accountId' | 'actions'>, { event }: SealedEvent) {
  const isItsAccount = accountId === null || accountId === event.accountId;
  return isItsAccount && (actions === 'all' || actions.includes(event.action));
}

const handleIn =
  (ports: WebhookReactionPorts) =>
  async (delivery: Delivery): Promise<Handled> => {
    const { webhooks, clock, noteAttempt } = ports;
    const id = idOf(delivery.lane);
    const sealed = id && (await webhooks.findSealed(id));
    if (!sealed) return { kind: 'dropped', problem: 'the webhook was deleted' };
    const { webhook } = sealed;
    if (webhook.disabled) return { kind: 'dropped', problem: 'the webhook is disabled' };
    const at = clock.now();
    const sent = await sendMessage(ports, sealed, eventMessage(webhook, delivery));
    if (!sent.ok) return { kind: 'failed', problem: sent.error.code };
    const { retryAfter, ...outcome } = sent.value;
    noteAttempt(outcome);
    const { position, event } = delivery;
    await webhooks.recordAttempt(id, { at, position, action: event.action, outcome }, isDelivered(outcome));
    if (outcome.kind === 'failed') return { kind: 'failed', problem: outcome.problem };
    if (isDelivered(outcome)) return { kind: 'done' };
    if (outcome.status === 410) return disableGone(ports, webhook);
    const problem = `status ${outcome.status}`;
    const isAsked = outcome.status === 429 || outcome.status === 503;
    const pauseMs = isAsked ? retryAfterMs(retryAfter, clock.now()) : undefined;
    return { kind: 'failed', problem, ...(pauseMs !== undefined && { retryAfterMs: pauseMs }) };
  };

/** Disables a webhook whose receiver says that it is gone. One that got another address meanwhile is tried again. */
async function disableGone(
  { webhooks, webhookSender, clock }: WebhookReactionPorts,
  { id, url }: Webhook,
): Promise<Handled> {
  const at = clock.now();
  const disabled = await webhooks.setDisabled({ id, url }, { at, reason: 'gone' }, (before) => ({
    ...webhookEvent(at, 'disabled', before, {
      host: hostOf({ webhookSender }, before),
      reason: 'its receiver answered 410 (Gone)',
    }),
    actor: { kind: 'system' },
    origin: 'gatehouse',
  }));
  return disabled.ok ? { kind: 'dropped', problem: 'status 410' } : { kind: 'failed', problem: 'status 410' };
}
