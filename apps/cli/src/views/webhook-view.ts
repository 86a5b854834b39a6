import { formatInstantOrNull } from '@gatehouse/domain/time';
import type { Webhook } from '@gatehouse/domain/webhooks';
import { CREATED, shortTime, type View } from '@gatehouse/extension-kit/cli';
import { documentOf } from './document.ts';

export const webhookView: View<Webhook> = {
  document: (webhook) => ({
    ...documentOf(
      webhook,
      'id',
      'accountId',
      'url',
      'description',
      'actions',
      'includesAddresses',
      'createdAt',
    ),
    disabled_at: formatInstantOrNull(webhook.disabled?.at ?? null),
    disabled_reason: webhook.disabled?.reason ?? null,
    failing_since: formatInstantOrNull(webhook.failingSince),
    former_secret_until: formatInstantOrNull(webhook.formerSecretUntil),
  }),
  empty: 'There are no webhooks yet. Create one with `gatehouse webhook create`.',
  columns: [
    { title: 'ID', value: ({ id }) => String(id), essential: true },
    { title: 'ADDRESS', value: ({ url }) => url, essential: true, flexible: true },
    {
      title: 'DESCRIPTION',
      value: ({ description }) => (description === '' ? '-' : description),
      flexible: true,
    },
    { title: 'STATE', value: stateOf, essential: true },
    {
      title: 'EVENTS',
      value: ({ actions }) => (actions === 'all' ? 'all' : actions.join(' ')),
      flexible: true,
    },
    { title: 'ACCOUNT', value: ({ accountId }) => (accountId === null ? 'all' : String(accountId)) },
    CREATED,
  ],
};

function stateOf({ disabled, failingSince }: Webhook): string {
  if (disabled) return disabled.reason === 'gone' ? 'disabled (gone)' : 'disabled';
  return failingSince === null ? 'enabled' : `failing since ${shortTime(failingSince)}`;
}
