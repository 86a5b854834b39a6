import type { Operator, Principal } from '../access/index.ts';
import type { Actor, AuditEvent } from './audit-event.ts';
import type { AuditEntry } from './audit-log.ts';

/** Who made a change, as the log shows it to its reader: accounts do not see the names of operators. */
export type ToldActor =
  | Exclude<Actor, { kind: 'operator' }>
  | (Omit<Extract<Actor, { kind: 'operator' }>, 'name'> & { readonly name?: string });

/** An entry of the log, as its reader may see it. */
export interface ToldEntry extends Omit<AuditEntry, 'event'> {
  readonly event: Omit<AuditEvent, 'actor' | 'origin'> & {
    readonly actor: ToldActor;
    /** Null if the reader may not see where an operator made the change. */
    readonly origin: string | null;
  };
}

/**
 * Returns the entry as the caller may see it. Accounts see the changes of operators without their names and machines, which
 * identify people, users and hosts of the organization that runs the service.
 */
export function toldTo(caller: Principal | Operator, entry: AuditEntry): ToldEntry {
  const { event } = entry;
  if (caller.kind === 'operator' || event.actor.kind !== 'operator') return entry;
  const { name: _, ...actor } = event.actor;
  return { ...entry, event: { ...event, actor, origin: null } };
}
