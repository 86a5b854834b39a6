import { actorOf, type Operator, type Principal } from '../access/caller.ts';
import type { AuditEvent } from './audit-event.ts';

/** Creates the audit event for a change by this caller. */
export function eventBy(
  caller: Principal | Operator,
  event: Omit<AuditEvent, 'actor' | 'origin'>,
): AuditEvent {
  return { ...event, actor: actorOf(caller), origin: caller.origin };
}
