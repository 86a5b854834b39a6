import { actorOf, type Operator, type Principal } from '../access/index.ts';
import type { AccountId } from '../accounts/account.ts';
import type { Instant } from '../time/instant.ts';
import type { AuditAction, AuditEvent } from './audit-event.ts';

/** An event without its actor and origin. */
type UnattributedEvent = Omit<AuditEvent, 'actor' | 'origin'>;

/** Creates the event of a change of this resource. The first word of the action is the resource's type. */
export function eventOf(
  at: Instant,
  action: AuditAction,
  { id, accountId = null }: { readonly id: number | string; readonly accountId?: AccountId | null },
  details: AuditEvent['details'],
): UnattributedEvent {
  const [type = ''] = action.split('.');
  return { at, action, subject: { type, id: String(id) }, accountId, details };
}

/** Creates the audit event for a change by this caller. */
export function eventBy(caller: Principal | Operator, event: UnattributedEvent): AuditEvent {
  return { ...event, actor: actorOf(caller), origin: caller.origin };
}
