import { MAX_WEBHOOKS, type Webhook } from '@gatehouse/domain/webhooks';
import { buttonLink, name } from '../elements/inline.ts';
import { emptyState } from '../elements/part.ts';
import { table } from '../elements/table.ts';
import { time } from '../elements/time.ts';
import { html } from '../html.ts';
import type { PageUseCases } from '../page-use-cases.ts';
import { NEW_WEBHOOK, webhookPath } from '../paths.ts';
import type { PageRequest } from '../session/page-request.ts';
import type { SignedInPage } from '../session/signed-in.ts';
import { denied, type View, view } from '../view.ts';
import { webhookState } from './webhook-state.ts';

/** `/settings/webhooks`: lists the webhooks of the account for its admins. */
export function webhookListPage({ listWebhooks }: Pick<PageUseCases, 'listWebhooks'>): SignedInPage {
  return {
    async show(request) {
      const listed = await listWebhooks(request.caller, {});
      if (!listed.ok) return denied(listed.error);
      // The limit of webhooks keeps the list short.
      for await (const webhooks of listed.value) return listView(request, webhooks);
      return listView(request, []);
    },
  };
}

function listView({ now }: PageRequest, webhooks: readonly Webhook[]): View {
  const create = buttonLink(NEW_WEBHOOK, 'New webhook', 'primary');
  const isFull = webhooks.length >= MAX_WEBHOOKS;
  const full = ` Your account has ${MAX_WEBHOOKS}, which is the limit. To create another one, delete one first.`;
  const content =
    webhooks.length === 0
      ? emptyState(
          'There are no webhooks yet',
          'Create one to send events to another program, such as a chat, a ticket system or a SIEM.',
          buttonLink(NEW_WEBHOOK, 'Create the first webhook'),
        )
      : table({
          caption: 'Webhooks',
          rows: webhooks,
          columns: {
            URL: ({ id, url, description }) =>
              html`<a href="${webhookPath(id)}">${name(url)}</a>${description === '' ? null : html`<small>${name(description)}</small>`}`,
            Status: webhookState,
            Events: ({ actions }) => (actions === 'all' ? 'All' : `${actions.length} selected`),
            Created: ({ createdAt }) => time(createdAt, now),
          },
        });
  return view({
    title: 'Webhooks',
    ...(!isFull && { action: create }),
    width: 'wide',
    content: html`<p class="lead">Webhooks send the events of your account to other programs.${isFull ? full : null}</p>${content}`,
  });
}
