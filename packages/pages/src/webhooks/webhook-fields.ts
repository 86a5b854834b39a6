import type { Catalog } from '@gatehouse/domain/resources';
import type { Webhook, WebhookInput } from '@gatehouse/domain/webhooks';
import { kindsOfEvents } from '../activity/kinds.ts';
import type { ChoiceGroup } from '../elements/choices.ts';
import type { Fields, FieldValues, ShowField } from '../elements/form.ts';
import { type Html, html } from '../html.ts';

/** The choice of all actions, also those of later versions. */
const ALL = 'all';

/** The choice that shows the boxes of the actions, by a rule in style.css. */
const EACH = 'each';

/** The fields of the forms that create and change a webhook. */
export const WEBHOOK_FIELDS = {
  url: {
    label: 'URL',
    subject: 'The URL',
    hint: 'Where your program receives events, such as https://hooks.example/gatehouse.',
    isRequired: true,
    maxLength: 2000,
  },
  description: { label: 'Description', hint: 'Optional. What the webhook is for.', maxLength: 200 },
  addresses: {
    label: 'Personal data',
    type: 'checkbox',
    choices: [
      {
        value: 'yes',
        label: 'Include email and IP addresses',
        hint: 'Otherwise, messages contain only IDs and names.',
      },
    ],
  },
  events: {
    label: 'Events',
    type: 'radio',
    choices: [
      { value: ALL, label: 'All events', hint: 'Includes events that future versions add.' },
      { value: EACH, label: 'Selected events' },
    ],
  },
  actions: { label: 'Send these events', subject: 'The choice of events', type: 'checkbox' },
} as const satisfies Fields;

export type WebhookValues = FieldValues<typeof WEBHOOK_FIELDS>;

/** Returns the facts that the form gives about the webhook. */
export function webhookInput({ url, description, events, actions, addresses }: WebhookValues): WebhookInput {
  return {
    url: url.trim(),
    description,
    actions: events === ALL ? 'all' : actions,
    includesAddresses: addresses.includes('yes'),
  };
}

/** Returns the values with which the form shows a webhook. */
export function valuesOf({ url, description, actions, includesAddresses }: Webhook): WebhookValues {
  return {
    url,
    description,
    events: actions === 'all' ? ALL : EACH,
    actions: actions === 'all' ? [] : actions,
    addresses: includesAddresses ? ['yes'] : [],
  };
}

/** The values of the form that creates a webhook. */
export const NEW_VALUES: WebhookValues = {
  url: '',
  description: '',
  events: ALL,
  actions: [],
  addresses: [],
};

/** Shows the fields. The boxes of the events are grouped by what they are about, and shown if they count. */
export function webhookFields(catalog: Catalog, field: ShowField<keyof typeof WEBHOOK_FIELDS>): Html {
  return html`${field('url')}
${field('description')}
${field('addresses')}
${field('events')}
<div class="field if-each">${field('actions', { groups: groupsOf(catalog) })}</div>`;
}

const groupsOf = (catalog: Catalog): readonly ChoiceGroup[] =>
  [...kindsOfEvents(catalog)].map(([type, legend]) => ({
    legend,
    choices: catalog.actions
      .filter((action) => action.startsWith(`${type}.`))
      .map((action) => ({ value: action, label: html`<code>${action}</code>` })),
  }));
