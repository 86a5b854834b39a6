import { actorOf, type Operator, type Principal } from '../access/caller.ts';
import type { AuditEvent } from './audit-event.ts';

/** The event of a change that this caller makes. */
export function eventBy(
  caller: Principal | Operator,
  event: Omit<AuditEvent, 'actor' | 'origin'>,
): AuditEvent {
  return { ...event, actor: actorOf(caller), origin: caller.origin };
}
