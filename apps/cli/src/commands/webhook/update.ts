import { defineChange } from '../../described/kinds.ts';
import { webhookView } from '../../views/webhook-view.ts';
import { ADDRESSES, DESCRIPTION, WANTED, WEBHOOK } from './webhook-options.ts';

export const webhookUpdate = defineChange({
  verb: 'update',
  summary: 'Change the address of a webhook, or what is sent',
  arguments: { webhook: WEBHOOK },
  options: {
    url: { value: 'url', description: 'The new address. Messages that wait are sent there' },
    actions: WANTED,
    description: DESCRIPTION,
    addresses: ADDRESSES,
  },
  examples: [
    'gatehouse webhook update 3 --url https://hooks.example/new',
    'gatehouse webhook update 3 --actions all --as ada@acme.example',
  ],
  as: { description: 'Change it as this admin' },
  check: ({ url, actions, description, addresses }) =>
    (url ?? actions ?? description ?? addresses) === undefined
      ? 'Give at least one of --url, --actions, --description and --addresses.'
      : undefined,
  run: ({ updateWebhook }, caller, { webhook, addresses, ...given }) =>
    updateWebhook(caller, webhook, {
      ...given,
      ...(addresses !== undefined && { includesAddresses: addresses === 'yes' }),
    }),
  note: ({ webhook: { id }, already }) =>
    already ? `The webhook ${id} already was so.` : `Changed the webhook ${id}.`,
  document: ({ webhook }) => webhookView.document(webhook),
});
