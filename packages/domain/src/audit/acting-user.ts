import type { UserId } from '../users/user.ts';
import type { AuditEvent } from './audit-event.ts';

/**
 * Returns the user with whose rights a change is made, in person or by an operator who acts for the user. Undefined for
 * an operator who acts as such, and for a token.
 */
export function actingUser({ actor }: Pick<AuditEvent, 'actor'>): UserId | undefined {
  if (actor.kind === 'user') return actor.id;
  return actor.kind === 'operator' ? actor.for : undefined;
}
