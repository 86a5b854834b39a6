import { defineList } from '../../described/kinds.ts';
import { webhookView } from '../../views/webhook-view.ts';
import { ofAccount } from '../shared-options.ts';

export const webhookList = defineList({
  verb: 'list',
  summary: 'List the webhooks of one account, or all of them',
  options: { account: ofAccount('webhooks') },
  examples: ['gatehouse webhook list', 'gatehouse webhook list --account 1 --json'],
  as: { description: 'List those of the account of this admin' },
  view: webhookView,
  run: ({ listWebhooks }, caller, { account: accountId }) => listWebhooks(caller, { accountId }),
});
