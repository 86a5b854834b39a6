import type { Catalog } from '@gatehouse/domain/resources';
import type { Webhook, WebhookInput } from '@gatehouse/domain/webhooks';
import { kindsOfEvents } from '../activity/kinds.ts';
import type { ChoiceGroup } from '../elements/choices.ts';
import type { Fields, FieldValues, ShowField } from '../elements/form.ts';
import { type Html, html } from '../html.ts';

/** The value of the box that stands for all actions, also those of later versions. */
const ALL = 'all';

/** The fields of the forms that create and change a webhook. */
export const WEBHOOK_FIELDS = {
  url: {
    label: 'Address',
    hint: 'Where a program of yours receives the events, such as https://hooks.example/gatehouse.',
    isRequired: true,
    maxLength: 2000,
  },
  description: { label: 'Description', hint: 'Optional. What the webhook is for.', maxLength: 200 },
  actions: {
    label: 'Events',
    subject: 'The choice of events',
    type: 'checkbox',
    choices: [{ value: ALL, label: 'All events of the account' }],
  },
  addresses: {
    label: 'Addresses of people',
    type: 'checkbox',
    choices: [
      {
        value: 'yes',
        label: 'Include e-mail and IP addresses',
        hint: 'Without this box, messages have ids and names only.',
      },
    ],
  },
} as const satisfies Fields;

export type WebhookValues = FieldValues<typeof WEBHOOK_FIELDS>;

/** Returns the facts that the form gives about the webhook. */
export function webhookInput({ url, description, actions, addresses }: WebhookValues): WebhookInput {
  return {
    url: url.trim(),
    description,
    actions: actions.includes(ALL) ? 'all' : actions,
    includesAddresses: addresses.includes('yes'),
  };
}

/** Returns the values with which the form shows a webhook. */
export function valuesOf({ url, description, actions, includesAddresses }: Webhook): WebhookValues {
  return {
    url,
    description,
    actions: actions === 'all' ? [ALL] : actions,
    addresses: includesAddresses ? ['yes'] : [],
  };
}

/** Shows the fields. The boxes of the events are grouped by what they are about. */
export function webhookFields(catalog: Catalog, field: ShowField<keyof typeof WEBHOOK_FIELDS>): Html {
  return html`${field('url')}
${field('description')}
${field('actions', { groups: groupsOf(catalog) })}
${field('addresses')}`;
}

const groupsOf = (catalog: Catalog): readonly ChoiceGroup[] =>
  [...kindsOfEvents(catalog)].map(([type, legend]) => ({
    legend,
    choices: catalog.actions
      .filter((action) => action.startsWith(`${type}.`))
      .map((action) => ({ value: action, label: html`<code>${action}</code>` })),
  }));
