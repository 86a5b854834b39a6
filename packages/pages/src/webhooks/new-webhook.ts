import { MAX_WEBHOOKS } from '@gatehouse/domain/webhooks';
import { type FieldErrors, formView } from '../elements/form.ts';
import { button, buttonLink } from '../elements/inline.ts';
import { backTo } from '../elements/part.ts';
import { html } from '../html.ts';
import { NEW_WEBHOOK, WEBHOOKS } from '../paths.ts';
import type { PagePorts } from '../ports.ts';
import type { PageRequest } from '../session/page-request.ts';
import type { SignedInPage } from '../session/signed-in.ts';
import { denied, errorPage, type View, withAlert } from '../view.ts';
import { secretView } from './secret-view.ts';
import {
  NEW_VALUES,
  WEBHOOK_FIELDS,
  type WebhookValues,
  webhookFields,
  webhookInput,
} from './webhook-fields.ts';

type Ports = Pick<PagePorts, 'catalog' | 'createWebhook'>;

const OLDER_EDITION =
  'No webhook was created, because a server or a command of an older version is still running. Try again after all servers are upgraded.';
const TOO_MANY = `Your account has ${MAX_WEBHOOKS} webhooks, which is the limit. Delete one first.`;
const NO_KEYS =
  'No webhook was created, because the keys of this server cannot be used now. Tell an operator.';

/** `/settings/webhooks/new`: creates a webhook. Only the response to the form shows the secret. For admins. */
export function newWebhookPage({ catalog, createWebhook }: Ports): SignedInPage<typeof WEBHOOK_FIELDS> {
  const formOf = (request: PageRequest, values: WebhookValues = NEW_VALUES, errors: FieldErrors = []): View =>
    formView(request, {
      title: 'New webhook',
      above: backTo(WEBHOOKS, 'Webhooks'),
      scripts: ['send-once.js'],
      lead: html`<p class="lead">Gatehouse sends events of ${request.account.name} to this URL within seconds. Each message is signed, so your program can verify it.</p>`,
      action: NEW_WEBHOOK,
      fields: WEBHOOK_FIELDS,
      values,
      errors,
      content: (field) => html`${webhookFields(catalog, field)}
<p class="actions">${button('Create webhook', 'primary')}${buttonLink(WEBHOOKS, 'Cancel')}</p>`,
    });

  return {
    show: (request, typed) =>
      request.user.role === 'admin' ? formOf(request, typed) : errorPage('not_allowed'),
    form: {
      fields: WEBHOOK_FIELDS,
      async submit(request, typed) {
        if (request.user.role !== 'admin') return errorPage('not_allowed');
        const again = (errors: FieldErrors = []) => formOf(request, typed, errors);
        const created = await createWebhook(request.caller, webhookInput(typed));
        if (created.ok) return secretView('Webhook created', created.value);
        const { error } = created;
        switch (error.code) {
          case 'invalid_input':
            return again(error.problems);
          case 'too_many_webhooks':
            return withAlert(again(), TOO_MANY, 409);
          case 'older_edition_serves':
            return withAlert(again(), OLDER_EDITION, 409);
          case 'master_key_rejected':
          case 'no_signing_key':
            return withAlert(again(), NO_KEYS, 503);
          default:
            return denied(error);
        }
      },
    },
  };
}
