import { type Attempt, isDelivered, outcomeInWords, type Webhook } from '@gatehouse/domain/webhooks';
import { form } from '../elements/form.ts';
import { button, buttonLink, listed, state } from '../elements/inline.ts';
import { warning } from '../elements/notice.ts';
import { backTo, facts, section } from '../elements/part.ts';
import { table } from '../elements/table.ts';
import { exactTime, time } from '../elements/time.ts';
import { type Html, html } from '../html.ts';
import type { Found } from '../page-use-cases.ts';
import { deleteWebhookPath, editWebhookPath, WEBHOOKS, webhookPath, webhookSecretPath } from '../paths.ts';
import type { PagePorts } from '../ports.ts';
import type { PageRequest } from '../session/page-request.ts';
import type { SignedInPage } from '../session/signed-in.ts';
import { denied, errorPage, redirect, type View, view, withAlert } from '../view.ts';
import { findWebhook, webhookIdOf } from './find-webhook.ts';
import { webhookState } from './webhook-state.ts';

/** How many attempts are shown at once. The page would be long with all 50. */
const MAX_SHOWN = 10;

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
          'No test was sent, because the secret of the webhook cannot be read. Tell an operator.',
          503,
        )
      : withAlert(
          shown,
          `You sent several tests in a short time. Try again in ${error.retryAfterSeconds} seconds.`,
          429,
          [['retry-after', `${error.retryAfterSeconds}`]],
        );
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
${section(
  'Recent attempts',
  html`${formOfButton(request, webhook, 'test', 'Send a test')}${attemptsOf(request, attempts)}`,
)}
${section(
  'Secret',
  html`<p>Your program needs the secret to verify messages. If it is lost, or if others may know it, create a new one.</p><p class="actions">${buttonLink(webhookSecretPath(id), 'New secret')}</p>`,
)}
${webhook.disabled ? enabling(request, webhook) : disabling(request, webhook)}`,
  });
}

function troubled({ now }: PageRequest, { disabled, failingSince }: Webhook): Html | null {
  if (disabled?.reason === 'gone')
    return warning(
      html`<p><strong>Your program answered with status 410 (Gone),</strong> so the webhook was disabled ${time(disabled.at, now)}. Enable it again once your program accepts messages.</p>`,
    );
  return disabled || failingSince === null
    ? null
    : warning(
        html`<p><strong>Messages are not being delivered.</strong> The first attempt failed ${time(failingSince, now)}. Gatehouse tries each message for about three days. Later messages wait.</p>`,
      );
}

function details({ now }: PageRequest, webhook: Webhook): Html {
  const { id, url, actions, includesAddresses, createdAt, disabled, formerSecretUntil } = webhook;
  const former = formerSecretUntil !== null && formerSecretUntil > now ? time(formerSecretUntil, now) : null;
  return facts([
    ['URL', html`<code>${url}</code>`],
    ['ID', html`<code>${id}</code>`],
    ['Status', html`${webhookState(webhook)}${disabled && html` ${time(disabled.at, now)}`}`],
    ['Events', actions === 'all' ? 'All' : listed(actions.map((action) => html`<code>${action}</code>`))],
    ['Personal data', includesAddresses ? 'Email and IP addresses' : 'None'],
    ['Created', time(createdAt, now)],
    ['Previous secret', former && html`Ends ${former}`],
  ]);
}

function attemptsOf({ now }: PageRequest, attempts: readonly Attempt[]): Html {
  if (attempts.length === 0) return html`<p>Nothing was sent yet.</p>`;
  const tableOf = (caption: string, rows: readonly Attempt[]) =>
    table({
      caption,
      rows,
      columns: {
        Event: ({ action }) => html`<code>${action}</code>`,
        Result: ({ outcome }) => resultOf(outcome),
        Time: ({ at }) => exactTime(at, now),
      },
    });
  const older = attempts.slice(MAX_SHOWN);
  return html`${tableOf('Recent attempts', attempts.slice(0, MAX_SHOWN))}${
    older.length === 0
      ? null
      : html`<details><summary>Older attempts</summary>${tableOf('Older attempts', older)}</details>`
  }`;
}

function resultOf(outcome: Attempt['outcome']): Html {
  const words = outcomeInWords(outcome);
  const label = isDelivered(outcome) ? state('good', 'Delivered') : state('warning', 'Not delivered');
  return html`${label}<small>${words.charAt(0).toUpperCase()}${words.slice(1)}</small>`;
}

const formOfButton = (request: PageRequest, { id }: Webhook, target: string, label: string): Html =>
  form(request, { action: webhookPath(id), target, content: button(label), layout: 'inline' });

const enabling = (request: PageRequest, webhook: Webhook): Html =>
  html`${section(
    'Enable this webhook',
    html`<p>Gatehouse sends new events again.</p>${formOfButton(request, webhook, 'enable', 'Enable')}`,
  )}${deleting(webhook)}`;

const disabling = (request: PageRequest, webhook: Webhook): Html =>
  html`${section(
    'Disable this webhook',
    html`<p>Gatehouse sends nothing until the webhook is enabled again. Messages that are waiting are dropped.</p>${formOfButton(request, webhook, 'disable', 'Disable')}`,
  )}${deleting(webhook)}`;

const deleting = ({ id }: Webhook): Html =>
  section(
    'Delete this webhook',
    html`<p>The webhook and its attempts are deleted. This cannot be undone.</p><p class="actions">${buttonLink(deleteWebhookPath(id), 'Delete webhook', 'danger')}</p>`,
    'danger',
  );
