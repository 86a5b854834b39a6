import { isDelivered, outcomeInWords } from '@gatehouse/domain/webhooks';
import { defineChange } from '../../described/kinds.ts';
import { outcomeDocument } from '../../views/shown-webhook-view.ts';
import { webhookView } from '../../views/webhook-view.ts';
import { WEBHOOK } from './webhook-options.ts';

export const webhookTest = defineChange({
  verb: 'test',
  summary: 'Send a message of the type webhook.test at once, and print how it ended',
  arguments: { webhook: WEBHOOK },
  notes: [
    'At most 6 tests of a webhook begin within a minute. A webhook that is disabled can be tested, too.',
  ],
  examples: ['gatehouse webhook test 3', 'gatehouse webhook test 3 --as ada@acme.example'],
  as: { description: 'Test it as this admin' },
  needs: () => ({ signs: true }),
  run: ({ testWebhook }, caller, { webhook }, { printer }) =>
    printer.progress('Sending the message', () => testWebhook(caller, webhook)),
  note: ({ webhook: { id }, outcome }) =>
    isDelivered(outcome)
      ? `The receiver of the webhook ${id} accepted the message (${outcomeInWords(outcome)}).`
      : `The message of the webhook ${id} was not delivered: ${outcomeInWords(outcome)}.`,
  document: ({ webhook, outcome }) => ({
    ...webhookView.document(webhook),
    delivered: isDelivered(outcome),
    ...outcomeDocument(outcome),
  }),
});
