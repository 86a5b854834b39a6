import { defineSteps } from '../../described/kinds.ts';
import { usageError } from '../../errors/command-error.ts';
import { unwrap } from '../../errors/refusals.ts';
import { ACCOUNT_ID } from '../../input/parsers.ts';
import { webhookView } from '../../views/webhook-view.ts';
import { ADDRESSES, DESCRIPTION, WANTED } from './webhook-options.ts';

export const webhookCreate = defineSteps({
  verb: 'create',
  summary: 'Create a webhook and print its secret; it is not shown again',
  arguments: {
    url: { description: 'The address to which events are sent, such as https://hooks.example/gatehouse' },
  },
  options: {
    account: { ...ACCOUNT_ID, description: 'Send the events of this account' },
    installation: { description: 'Send the events of all accounts, and those of no account' },
    actions: WANTED,
    description: DESCRIPTION,
    addresses: ADDRESSES,
  },
  notes: [
    'Messages are signed as Standard Webhooks 1.0 describes it. The receiver needs the secret to verify them. If the secret was not copied, make a new one with `gatehouse webhook rotate-secret ID`.',
    'Events are sent some seconds after they happened, and again until the receiver answers with a status from 200 to 299, for about three days.',
  ],
  examples: [
    '(umask 077 && gatehouse webhook create https://hooks.example/gatehouse --account 1 > webhook.secret)',
    'gatehouse webhook create https://hooks.example/tokens --as ada@acme.example --actions token.created,token.revoked',
  ],
  as: { description: 'Create it as this admin, for the account of the admin' },
  prints: 'change',
  needs: () => ({ signs: true }),
  async steps({ createWebhook }, caller, { url, account, installation = false, ...given }, { printer }) {
    const isClear = caller.kind !== 'operator' || (account !== undefined) !== installation;
    if (!isClear)
      throw usageError('Name the account with --account ID, or give --installation for all events.');
    const { description = '', actions = 'all', addresses = 'no' } = given;
    const created = await createWebhook(caller, {
      url,
      description,
      actions,
      includesAddresses: addresses === 'yes',
      accountId: installation ? null : account,
    });
    const { webhook, secret } = unwrap(created);
    await printer.note(`Created the webhook ${webhook.id}. Copy its secret now; it is not shown again:`);
    await printer.secret(secret, { ...webhookView.document(webhook), secret });
  },
});
