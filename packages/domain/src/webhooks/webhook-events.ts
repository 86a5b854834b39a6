import { eventOf } from '../audit/event-by.ts';
import type { Instant } from '../time/instant.ts';
import type { WantedActions, Webhook } from './webhook.ts';

type Action = 'created' | 'updated' | 'deleted' | 'secret_rotated' | 'enabled' | 'disabled';

/** The facts about a webhook in the audit log. The path of its address is left out, because it can be a secret. */
type Told = Pick<Webhook, 'id' | 'accountId' | 'description'>;

/** The event of a change of a webhook. It is named by its description, or else by its host. */
export function webhookEvent(
  at: Instant,
  action: Action,
  webhook: Told,
  { host, ...details }: { readonly host: string } & Readonly<Record<string, DetailValue>>,
) {
  const name = webhook.description === '' ? host : webhook.description;
  return eventOf(at, `webhook.${action}`, webhook, { name, host, ...details });
}

type DetailValue = string | boolean | null | readonly string[];

/** The details of a webhook that was created, or of what was changed of it. */
export const wantedDetail = (actions: WantedActions) => (actions === 'all' ? ['all'] : actions);
