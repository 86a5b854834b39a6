import { MAX_SECRET_GRACE_MS } from '@gatehouse/domain/webhooks';
import { shortTime } from '@gatehouse/extension-kit/cli';
import { defineSteps } from '../../described/kinds.ts';
import { unwrap } from '../../errors/refusals.ts';
import { DURATION } from '../../input/parsers.ts';
import { webhookView } from '../../views/webhook-view.ts';
import { UNITS } from '../shared-options.ts';
import { WEBHOOK } from './webhook-options.ts';

export const webhookRotateSecret = defineSteps({
  verb: 'rotate-secret',
  summary: 'Make a new secret of a webhook and print it; it is not shown again',
  arguments: { webhook: WEBHOOK },
  options: {
    grace: {
      ...DURATION,
      description: `How long messages are also signed with the former secret, up to 24h (the default); ${UNITS}`,
    },
    now: { description: 'End the former secret at once, because it is known to others' },
  },
  examples: [
    '(umask 077 && gatehouse webhook rotate-secret 3 > webhook.secret)',
    'gatehouse webhook rotate-secret 3 --now --as ada@acme.example',
  ],
  as: { description: 'Rotate it as this admin' },
  check: ({ grace, now }) =>
    grace !== undefined && now ? 'Give either --grace or --now, not both.' : undefined,
  prints: 'change',
  needs: () => ({ signs: true }),
  async steps({ rotateWebhookSecret }, caller, { webhook: id, grace, now = false }, { printer }) {
    const graceMs = now ? 0 : (grace ?? MAX_SECRET_GRACE_MS);
    const { webhook, secret } = unwrap(await rotateWebhookSecret(caller, { id, graceMs }));
    const { formerSecretUntil: until } = webhook;
    const former = until === null ? 'has ended' : `also signs until ${shortTime(until)}`;
    await printer.note(
      `Made a new secret of the webhook ${id}; the former one ${former}. Copy the new one now; it is not shown again:`,
    );
    await printer.secret(secret, { ...webhookView.document(webhook), secret });
  },
});
