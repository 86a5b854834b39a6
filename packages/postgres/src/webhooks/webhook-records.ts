import type { AccountId } from '@gatehouse/domain/accounts';
import type { AuditAction, AuditPosition } from '@gatehouse/domain/audit';
import type { SealedSecret } from '@gatehouse/domain/signing-keys';
import type { Instant } from '@gatehouse/domain/time';
import type { Attempt, DisableReason, SendProblem, Webhook, WebhookId } from '@gatehouse/domain/webhooks';
import type { NullableTimestamp, Timestamp } from '@gatehouse/extension-kit/postgres';
import type { ColumnType, GeneratedAlways, Selectable } from 'kysely';
import type { Queries } from '../database/schema.ts';

export interface WebhookTable {
  id: WebhookId;
  account_id: AccountId | null;
  url: string;
  description: string;
  /** Null for all. */
  actions: readonly AuditAction[] | null;
  includes_addresses: boolean;
  created_at: Timestamp;
  disabled_at: NullableTimestamp;
  disabled_reason: DisableReason | null;
  failing_since: NullableTimestamp;
  sealed_secret: SealedSecret;
  former_sealed_secret: SealedSecret | null;
  former_secret_until: NullableTimestamp;
  tests: ColumnType<readonly Instant[], string | undefined, string>;
  test_running_until: NullableTimestamp;
}

export interface WebhookAttemptTable {
  id: GeneratedAlways<number>;
  webhook_id: WebhookId;
  at: Timestamp;
  position: AuditPosition | null;
  action: AuditAction;
  status: number | null;
  problem: SendProblem | null;
}

/** The columns of `webhooks` that are shown. */
export const SHOWN = [
  'id',
  'account_id',
  'url',
  'description',
  'actions',
  'includes_addresses',
  'created_at',
  'disabled_at',
  'disabled_reason',
  'failing_since',
  'former_secret_until',
] as const satisfies readonly (keyof WebhookTable)[];

export const selectWebhooks = (db: Queries) => db.selectFrom('webhooks').select(SHOWN);

export function toWebhook(row: Pick<Selectable<WebhookTable>, (typeof SHOWN)[number]>): Webhook {
  const { disabled_at: at, disabled_reason: reason } = row;
  return Object.freeze({
    id: row.id,
    accountId: row.account_id,
    url: row.url,
    description: row.description,
    actions: toActions(row.actions),
    includesAddresses: row.includes_addresses,
    createdAt: row.created_at,
    disabled: at === null || reason === null ? null : Object.freeze({ at, reason }),
    failingSince: row.failing_since,
    formerSecretUntil: row.former_secret_until,
  });
}

export const toActions = (stored: WebhookTable['actions']): Webhook['actions'] =>
  stored === null ? 'all' : Object.freeze(stored);

export const storedActions = (actions: Webhook['actions']): WebhookTable['actions'] =>
  actions === 'all' ? null : actions;

export function toAttempt(row: Omit<Selectable<WebhookAttemptTable>, 'id' | 'webhook_id'>): Attempt {
  const { at, position, action, status, problem } = row;
  const outcome =
    problem === null
      ? ({ kind: 'answered', status: status ?? 0 } as const)
      : ({ kind: 'failed', problem } as const);
  return Object.freeze({ at, position, action, outcome: Object.freeze(outcome) });
}
