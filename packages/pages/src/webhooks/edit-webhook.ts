import type { Webhook } from '@gatehouse/domain/webhooks';
import { type FieldErrors, formView } from '../elements/form.ts';
import { button, buttonLink } from '../elements/inline.ts';
import { backTo } from '../elements/part.ts';
import { html } from '../html.ts';
import { editWebhookPath, webhookPath } from '../paths.ts';
import type { PagePorts } from '../ports.ts';
import type { PageRequest } from '../session/page-request.ts';
import type { SignedInPage } from '../session/signed-in.ts';
import { denied, redirect, type View } from '../view.ts';
import { findWebhook } from './find-webhook.ts';
import {
  valuesOf,
  WEBHOOK_FIELDS,
  type WebhookValues,
  webhookFields,
  webhookInput,
} from './webhook-fields.ts';

type Ports = Pick<PagePorts, 'catalog' | 'showWebhook' | 'updateWebhook'>;

/** `/settings/webhooks/{id}/edit`: changes the address of a webhook, and what is sent. */
export function editWebhookPage(ports: Ports): SignedInPage<typeof WEBHOOK_FIELDS> {
  const formOf = (
    request: PageRequest,
    webhook: Webhook,
    values: WebhookValues = valuesOf(webhook),
    errors: FieldErrors = [],
  ): View =>
    formView(request, {
      title: 'Edit webhook',
      above: backTo(webhookPath(webhook.id), 'Back to the webhook'),
      action: editWebhookPath(webhook.id),
      fields: WEBHOOK_FIELDS,
      values,
      errors,
      content: (field) => html`${webhookFields(ports.catalog, field)}
<p class="actions">${button('Save', 'primary')}${buttonLink(webhookPath(webhook.id), 'Cancel')}</p>`,
    });

  return {
    async show(request, typed) {
      const found = await findWebhook(ports, request);
      return found.ok ? formOf(request, found.value.webhook, typed) : found.error;
    },
    form: {
      fields: WEBHOOK_FIELDS,
      async submit(request, typed) {
        const found = await findWebhook(ports, request);
        if (!found.ok) return found.error;
        const { webhook } = found.value;
        const updated = await ports.updateWebhook(request.caller, webhook.id, webhookInput(typed));
        if (updated.ok)
          return redirect(webhookPath(webhook.id), updated.value.already ? undefined : 'webhook_changed');
        const { error } = updated;
        return error.code === 'invalid_input'
          ? formOf(request, webhook, typed, error.problems)
          : denied(error);
      },
    },
  };
}
