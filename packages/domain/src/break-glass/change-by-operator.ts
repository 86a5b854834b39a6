import { authorized, MANAGE_USERS, type Operator, type Principal } from '../access/index.ts';
import type { AuditAction, AuditEvent } from '../audit/audit-event.ts';
import { eventBy, eventOf } from '../audit/event-by.ts';
import type { Ports } from '../ports.ts';
import type { Instant } from '../time/instant.ts';
import { findPerson } from '../users/named-user.ts';
import type { User } from '../users/user.ts';
import type { BreakGlass } from './break-glass.ts';

export type OperatorPorts = Ports<'users' | 'breakGlass' | 'clock'>;

/** Makes the event of a change of this user, with the user's address. */
type MakeEvent = (action: AuditAction, user: User, details?: AuditEvent['details']) => AuditEvent;

/** Returns a function that makes events by the caller at this time. */
export const eventsBy =
  (caller: Principal | Operator, at: Instant): MakeEvent =>
  (action, user, details) =>
    eventBy(caller, eventOf(at, action, user, { email: user.email, ...details }));

/** Makes a use case with which an operator changes one fact about a person, whom the address names. */
export function changeByOperator<T>(
  change: (breakGlass: BreakGlass, id: User['id'], at: Instant, event: MakeEvent) => Promise<T>,
) {
  return authorized(
    MANAGE_USERS,
    ({ users, breakGlass, clock }: OperatorPorts) =>
      async (caller, { email }: { readonly email: string }) => {
        const found = await findPerson(users, caller, { email });
        if (!found.ok) return found;
        const at = clock.now();
        return change(breakGlass, found.value.id, at, eventsBy(caller, at));
      },
  );
}
