import type { Webhook } from '@gatehouse/domain/webhooks';
import { formView } from '../elements/form.ts';
import { button, buttonLink } from '../elements/inline.ts';
import { backTo } from '../elements/part.ts';
import { html } from '../html.ts';
import { webhookPath, webhookSecretPath } from '../paths.ts';
import type { PagePorts } from '../ports.ts';
import type { PageRequest } from '../session/page-request.ts';
import type { SignedInPage } from '../session/signed-in.ts';
import { denied, errorPage, type View, withAlert } from '../view.ts';
import { findWebhook } from './find-webhook.ts';
import { secretView } from './secret-view.ts';

type Ports = Pick<PagePorts, 'rotateWebhookSecret' | 'showWebhook'>;

/** How long the former secret signs, too, by the value of the field. */
const GRACES: Readonly<Record<string, number>> = { day: 86_400_000, hour: 3_600_000, none: 0 };

const FIELDS = {
  grace: {
    label: 'Current secret',
    type: 'select',
    options: {
      day: 'Keep for 24 hours',
      hour: 'Keep for one hour',
      none: 'End now, because others may know it',
    },
  },
} as const;

const NO_KEYS =
  'The secret was not changed, because the keys of this server cannot be used now. Tell an operator.';

/** `/settings/webhooks/{id}/secret`: makes a new secret. Only the response to the form shows it. */
export function webhookSecretPage(ports: Ports): SignedInPage<typeof FIELDS> {
  return {
    async show(request, typed) {
      const found = await findWebhook(ports, request);
      return found.ok ? formOf(request, found.value.webhook, typed?.grace) : found.error;
    },
    form: {
      fields: FIELDS,
      async submit(request, { grace }) {
        const graceMs = GRACES[grace];
        if (graceMs === undefined) return errorPage('malformed_body');
        const found = await findWebhook(ports, request);
        if (!found.ok) return found.error;
        const { webhook } = found.value;
        const rotated = await ports.rotateWebhookSecret(request.caller, { id: webhook.id, graceMs });
        if (rotated.ok) return secretView('New secret created', rotated.value);
        const { error } = rotated;
        switch (error.code) {
          case 'invalid_input':
            return errorPage('malformed_body');
          case 'master_key_rejected':
          case 'no_signing_key':
            return withAlert(formOf(request, webhook, grace), NO_KEYS, 503);
          default:
            return denied(error);
        }
      },
    },
  };
}

function formOf(request: PageRequest, { id }: Webhook, grace = 'day'): View {
  return formView(request, {
    title: 'New secret',
    above: backTo(webhookPath(id), 'Back to the webhook'),
    scripts: ['send-once.js'],
    lead: html`<p class="lead">While the current secret is kept, messages are signed with both secrets, so your program accepts them before and after you change it.</p>`,
    action: webhookSecretPath(id),
    fields: FIELDS,
    values: { grace },
    errors: [],
    content: (field) => html`${field('grace')}
<p class="actions">${button('Create secret', 'primary')}${buttonLink(webhookPath(id), 'Cancel')}</p>`,
  });
}
