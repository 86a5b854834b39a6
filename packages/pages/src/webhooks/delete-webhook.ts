import type { Webhook } from '@gatehouse/domain/webhooks';
import { formView } from '../elements/form.ts';
import { button, buttonLink } from '../elements/inline.ts';
import { backTo } from '../elements/part.ts';
import { html } from '../html.ts';
import { deleteWebhookPath, WEBHOOKS, webhookPath } from '../paths.ts';
import type { PagePorts } from '../ports.ts';
import type { PageRequest } from '../session/page-request.ts';
import type { SignedInPage } from '../session/signed-in.ts';
import { denied, redirect, type View } from '../view.ts';
import { findWebhook, webhookIdOf } from './find-webhook.ts';

/** `/settings/webhooks/{id}/delete`: asks once more, and deletes the webhook. */
export function deleteWebhookPage(ports: Pick<PagePorts, 'deleteWebhook' | 'showWebhook'>): SignedInPage {
  return {
    async show(request) {
      const found = await findWebhook(ports, request);
      return found.ok ? deleteView(request, found.value.webhook) : found.error;
    },
    form: {
      fields: {},
      async submit(request) {
        const id = webhookIdOf(request);
        if (!id.ok) return id.error;
        const deleted = await ports.deleteWebhook(request.caller, id.value);
        return deleted.ok ? redirect(WEBHOOKS, 'webhook_deleted') : denied(deleted.error);
      },
    },
  };
}

function deleteView(request: PageRequest, { id, url }: Webhook): View {
  return formView(request, {
    title: 'Delete webhook',
    above: backTo(webhookPath(id), 'Back to the webhook'),
    action: deleteWebhookPath(id),
    fields: {},
    errors: [],
    lead: html`<p class="lead">Gatehouse stops sending events to <code>${url}</code>. Messages that are waiting are dropped. This cannot be undone.</p>`,
    content: () =>
      html`<p class="actions">${button('Delete webhook', 'danger')}${buttonLink(webhookPath(id), 'Cancel')}</p>`,
  });
}
