import { ok } from '@gatehouse/domain';
import { defineChange } from '../../described/kinds.ts';
import { unwrap } from '../../errors/refusals.ts';
import { webhookView } from '../../views/webhook-view.ts';
import { WEBHOOK } from './webhook-options.ts';

export const webhookDelete = defineChange({
  verb: 'delete',
  summary: 'Permanently delete a webhook; messages that wait are dropped',
  arguments: { webhook: WEBHOOK },
  examples: ['gatehouse webhook delete 3', 'gatehouse webhook delete 3 --as ada@acme.example'],
  as: { description: 'Delete it as this admin' },
  asks: {
    action: 'delete the webhook',
    question: 'This cannot be undone. Delete the webhook?',
    declined: 'The webhook was not deleted.',
    async facts({ showWebhook }, caller, { webhook: id }) {
      const { webhook } = unwrap(await showWebhook(caller, id));
      return ok([`No more events will be sent to ${webhook.url}.`]);
    },
  },
  run: ({ deleteWebhook }, caller, { webhook }) => deleteWebhook(caller, webhook),
  note: ({ id }) => `Deleted the webhook ${id}.`,
  document: (webhook) => webhookView.document(webhook),
});
