import { defineSteps } from '../../described/kinds.ts';
import { unwrap } from '../../errors/refusals.ts';
import { shownWebhookView } from '../../views/shown-webhook-view.ts';
import { WEBHOOK } from './webhook-options.ts';

export const webhookShow = defineSteps({
  verb: 'show',
  summary: 'Show a webhook with its last 50 attempts',
  arguments: { webhook: WEBHOOK },
  examples: ['gatehouse webhook show 3', 'gatehouse webhook show 3 --json'],
  as: { description: 'Show it as this admin' },
  prints: 'item',
  async steps({ showWebhook }, caller, { webhook: id }, { printer }) {
    const { webhook, attempts } = unwrap(await showWebhook(caller, id));
    await printer.item({ ...webhook, attempts }, shownWebhookView);
  },
});
