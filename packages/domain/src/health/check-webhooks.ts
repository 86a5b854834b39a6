import type { Ports } from '../ports.ts';
import { addMilliseconds, formatInstant, type Instant } from '../time/instant.ts';
import { type Webhook, type WebhookId, webhookKeyId } from '../webhooks/webhook.ts';
import { defineCheck, type Outcome, outcomeOf } from './check.ts';

/** A webhook that fails for this long is reported, in milliseconds: one day. */
const FAILING_MS = 86_400_000;

/** The maximum number of webhooks that the findings name. */
const NAMED = 5;

/** Webhooks whose secrets are read at once. */
const BATCH = 500;

type Finding =
  | { readonly code: 'webhook_gone'; readonly id: WebhookId; readonly at: Instant }
  | { readonly code: 'webhook_failing'; readonly id: WebhookId; readonly since: Instant }
  | { readonly code: 'webhook_secrets_unreadable'; readonly ids: readonly WebhookId[] };

/** Reports webhooks to which nothing was delivered for a day, and secrets that the master key does not decrypt. */
export const webhooksCheck = defineCheck({
  id: 'webhooks',
  passed: 'Every webhook that is enabled receives its events.',
  name: 'the webhooks',
  async run(ports: Ports<'webhooks' | 'findMasterKey' | 'clock'>): Promise<Outcome<Finding>> {
    const { webhooks, clock } = ports;
    const failingSince = addMilliseconds(clock.now(), -FAILING_MS);
    const troubled = await webhooks.listTroubled({ failingSince, limit: NAMED });
    const unreadable = await findUnreadable(ports);
    return outcomeOf<Finding>([
      ...troubled.flatMap(findingOf),
      ...(unreadable.length > 0 ? [{ code: 'webhook_secrets_unreadable', ids: unreadable } as const] : []),
    ]);
  },
  findings: {
    webhook_gone: ({ id, at }) => ({
      message: `The receiver of the webhook ${id} answered 410 (Gone), so the webhook was disabled at ${formatInstant(at)}.`,
      remedy: `If the receiver has another address, run \`gatehouse webhook update ${id} --url URL\` and \`gatehouse webhook enable ${id}\`. Otherwise run \`gatehouse webhook delete ${id}\`.`,
    }),
    webhook_failing: ({ id, since }) => ({
      message: `No event was delivered to the webhook ${id} since ${formatInstant(since)}.`,
      remedy: `\`gatehouse webhook show ${id}\` has the last attempts, and \`gatehouse webhook test ${id}\` sends a message now.`,
    }),
    webhook_secrets_unreadable: ({ ids }) => ({
      message: `The master key of this machine does not decrypt the secrets of these webhooks: ${ids.slice(0, NAMED).join(', ')}${ids.length > NAMED ? ', and more' : ''}. Nothing is sent to them.`,
      remedy:
        'Configure the master key with which the secrets were encrypted. If it is lost, run `gatehouse webhook rotate-secret ID --now` for each.',
    }),
  },
});

function findingOf({ id, disabled, failingSince }: Webhook): readonly Finding[] {
  if (disabled) return [{ code: 'webhook_gone', id, at: disabled.at }];
  return failingSince === null ? [] : [{ code: 'webhook_failing', id, since: failingSince }];
}

/** A master key that is missing or cannot be used is a finding of the check `master_key`. */
async function findUnreadable({ webhooks, findMasterKey }: Ports<'webhooks' | 'findMasterKey'>) {
  const unreadable = new Set<WebhookId>();
  const found = await findMasterKey();
  if (!found?.ok) return [];
  let after: WebhookId | undefined;
  for (;;) {
    const page = await webhooks.listSecrets({ limit: BATCH, ...(after !== undefined && { after }) });
    for (const { id, sealedSecrets } of page)
      for (const sealed of sealedSecrets)
        if (!(await found.value.open(sealed, webhookKeyId(id))).ok) unreadable.add(id);
    after = page.at(-1)?.id;
    if (page.length < BATCH) return [...unreadable];
  }
}
