import { formatInstant } from '@gatehouse/domain/time';
import { type Attempt, outcomeInWords, type SendOutcome, type Webhook } from '@gatehouse/domain/webhooks';
import { type Column, shortTime } from '@gatehouse/extension-kit/cli';
import { createTable } from '../output/table.ts';
import type { ItemView } from '../output/view.ts';
import { webhookView } from './webhook-view.ts';

interface ShownWebhook extends Webhook {
  readonly attempts: readonly Attempt[];
}

/** Shows one webhook and its last attempts. */
export const shownWebhookView: ItemView<ShownWebhook> = {
  document: (webhook) => ({
    ...webhookView.document(webhook),
    attempts: webhook.attempts.map(({ at, position, action, outcome }) => ({
      at: formatInstant(at),
      position,
      action,
      ...outcomeDocument(outcome),
    })),
  }),
  columns: webhookView.columns,
  below: ({ attempts }, table) =>
    attempts.length === 0 ? 'There were no attempts yet.\n' : createTable(COLUMNS, table).rows(attempts),
};

const COLUMNS: readonly Column<Attempt>[] = [
  { title: 'TIME', value: ({ at }) => shortTime(at), essential: true },
  { title: 'EVENT', value: ({ action }) => action, essential: true, flexible: true },
  { title: 'POSITION', value: ({ position }) => (position === null ? '-' : String(position)) },
  { title: 'OUTCOME', value: ({ outcome }) => outcomeInWords(outcome), essential: true, flexible: true },
];

export const outcomeDocument = (outcome: SendOutcome) =>
  outcome.kind === 'answered'
    ? { status: outcome.status, problem: null }
    : { status: null, problem: outcome.problem };
