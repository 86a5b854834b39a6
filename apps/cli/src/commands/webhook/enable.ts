import { defineChange } from '../../described/kinds.ts';
import { webhookView } from '../../views/webhook-view.ts';
import { WEBHOOK } from './webhook-options.ts';

export const webhookDisable = defineChange({
  verb: 'disable',
  summary: 'Send nothing to a webhook until it is enabled; messages that wait are dropped',
  arguments: { webhook: WEBHOOK },
  examples: ['gatehouse webhook disable 3', 'gatehouse webhook disable 3 --as ada@acme.example'],
  as: { description: 'Disable it as this admin' },
  run: ({ disableWebhook }, caller, { webhook }) => disableWebhook(caller, webhook),
  note: ({ webhook: { id }, already }) =>
    already ? `The webhook ${id} is already disabled.` : `Disabled the webhook ${id}.`,
  document: ({ webhook }) => webhookView.document(webhook),
});

export const webhookEnable = defineChange({
  verb: 'enable',
  summary: 'Send events to a webhook again, from now on',
  arguments: { webhook: WEBHOOK },
  examples: ['gatehouse webhook enable 3', 'gatehouse webhook enable 3 --as ada@acme.example'],
  as: { description: 'Enable it as this admin' },
  run: ({ enableWebhook }, caller, { webhook }) => enableWebhook(caller, webhook),
  note: ({ webhook: { id }, already }) =>
    already ? `The webhook ${id} is already enabled.` : `Enabled the webhook ${id}.`,
  document: ({ webhook }) => webhookView.document(webhook),
});
