import { type Attempt, isDelivered, outcomeInWords, type Webhook } from '@gatehouse/domain/webhooks';
import { form } from '../elements/form.ts';
import { button, buttonLink, listed, name, state } from '../elements/inline.ts';
import { warning } from '../elements/notice.ts';
import { backTo, facts, section } from '../elements/part.ts';
import { table } from '../elements/table.ts';
import { time } from '../elements/time.ts';
import { type Html, html } from '../html.ts';
import type { Found } from '../page-use-cases.ts';
import { deleteWebhookPath, editWebhookPath, WEBHOOKS, webhookPath, webhookSecretPath } from '../paths.ts';
import type { PagePorts } from '../ports.ts';
import type { PageRequest } from '../session/page-request.ts';
import type { SignedInPage } from '../session/signed-in.ts';
import { denied, errorPage, redirect, type View, view, withAlert } from '../view.ts';
import { findWebhook, webhookIdOf } from './find-webhook.ts';
import { webhookState } from './webhook-state.ts';

type Ports = Pick<PagePorts, 'disableWebhook' | 'enableWebhook' | 'showWebhook' | 'testWebhook'>;

/** `/settings/webhooks/{id}`: shows a webhook and its last attempts, tests it, and turns it on and off. */
export function webhookPage(ports: Ports): SignedInPage {
  async function show(request: PageRequest) {
    const found = await findWebhook(ports, request);
    return found.ok ? webhookView(request, found.value) : found.error;
  }

  async function test(request: PageRequest, id: Webhook['id']) {
    const tested = await ports.testWebhook(request.caller, id);
    if (tested.ok) return redirect(webhookPath(id), 'webhook_tested');
    const { error } = tested;
    if (error.code !== 'webhook_test_too_soon' && error.code !== 'master_key_rejected') return denied(error);
    const shown = await show(request);
    if (shown.kind !== 'view') return shown;
    return error.code === 'master_key_rejected'
      ? withAlert(
          shown,
          'The secret of the webhook cannot be read, so nothing was sent. Tell an operator.',
          503,
        )
      : withAlert(shown, `Wait ${error.retryAfterSeconds} s until the next test.`, 429, [
          ['retry-after', `${error.retryAfterSeconds}`],
        ]);
  }

  return {
    show,
    form: {
      fields: {},
      async submit(request, _, target) {
        const id = webhookIdOf(request);
        if (!id.ok) return id.error;
        if (target === 'test') return test(request, id.value);
        if (target !== 'enable' && target !== 'disable') return errorPage('malformed_body');
        const change = target === 'enable' ? ports.enableWebhook : ports.disableWebhook;
        const changed = await change(request.caller, id.value);
        if (!changed.ok) return denied(changed.error);
        return redirect(webhookPath(id.value), target === 'enable' ? 'webhook_enabled' : 'webhook_disabled');
      },
    },
  };
}

function webhookView(request: PageRequest, { webhook, attempts }: Found<'showWebhook'>): View {
  const { id, description } = webhook;
  return view({
    title: description === '' ? 'Webhook' : description,
    above: backTo(WEBHOOKS, 'Webhooks'),
    action: buttonLink(editWebhookPath(id), 'Edit'),
    content: html`${troubled(request, webhook)}<div class="sheet">${details(request, webhook)}</div>
${section('Last attempts', attemptsOf(request, attempts))}
${section(
  'Try it',
  html`<p>Sends a message of the type <code>webhook.test</code> now.</p>${formOfButton(request, webhook, 'test', 'Send a test')}`,
)}
${section(
  'Secret',
  html`<p>The receiver verifies messages with the secret, which is shown only once.</p><p class="actions">${buttonLink(webhookSecretPath(id), 'New secret')}</p>`,
)}
${webhook.disabled ? enabling(request, webhook) : disabling(request, webhook)}`,
  });
}

function troubled({ now }: PageRequest, { disabled, failingSince }: Webhook): Html | null {
  if (disabled?.reason === 'gone')
    return warning(
      html`<p><strong>The receiver said that it is gone (status 410),</strong> so the webhook was disabled ${time(disabled.at, now)}.</p>`,
    );
  return disabled || failingSince === null
    ? null
    : warning(
        html`<p><strong>Nothing was delivered since ${time(failingSince, now)}.</strong> Gatehouse tries again for about three days, and then gives the event up.</p>`,
      );
}

function details({ now }: PageRequest, webhook: Webhook): Html {
  const { id, url, actions, includesAddresses, createdAt, disabled, formerSecretUntil } = webhook;
  const former = formerSecretUntil !== null && formerSecretUntil > now ? time(formerSecretUntil, now) : null;
  return facts([
    ['Address', html`<code>${url}</code>`],
    ['ID', html`<code>${id}</code>`],
    ['Status', html`${webhookState(webhook)}${disabled && html` ${time(disabled.at, now)}`}`],
    ['Events', actions === 'all' ? 'All' : listed(actions.map((action) => html`<code>${action}</code>`))],
    ['Addresses of people', includesAddresses ? 'Included' : 'Not included'],
    ['Created', time(createdAt, now)],
    ['Former secret', former && html`Also signs, until ${former}`],
  ]);
}

function attemptsOf({ now }: PageRequest, attempts: readonly Attempt[]): Html {
  if (attempts.length === 0) return html`<p>There were no attempts yet.</p>`;
  return table({
    caption: 'Last attempts',
    rows: attempts,
    columns: {
      Time: ({ at }) => time(at, now),
      Event: ({ action }) => html`<code>${action}</code>`,
      Outcome: ({ outcome }) => {
        const words = outcomeInWords(outcome);
        return isDelivered(outcome)
          ? html`${state('good', 'Delivered')}<small>${words}</small>`
          : html`${state('warning', 'Not delivered')}<small>${name(words)}</small>`;
      },
    },
  });
}

const formOfButton = (request: PageRequest, { id }: Webhook, target: string, label: string): Html =>
  form(request, { action: webhookPath(id), target, content: button(label), layout: 'inline' });

const enabling = (request: PageRequest, webhook: Webhook): Html =>
  html`${section(
    'Enable this webhook',
    html`<p>It receives what happens from then on.</p>${formOfButton(request, webhook, 'enable', 'Enable')}`,
  )}${deleting(webhook)}`;

const disabling = (request: PageRequest, webhook: Webhook): Html =>
  html`${section(
    'Disable this webhook',
    html`<p>Nothing is sent until it is enabled. Messages that wait are dropped.</p>${formOfButton(request, webhook, 'disable', 'Disable')}`,
  )}${deleting(webhook)}`;

const deleting = ({ id }: Webhook): Html =>
  section(
    'Delete this webhook',
    html`<p class="actions">${buttonLink(deleteWebhookPath(id), 'Delete webhook', 'danger')}</p>`,
    'danger',
  );
