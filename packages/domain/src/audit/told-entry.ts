import type { Operator, Principal } from '../access/index.ts';
import type { Actor, AuditEvent } from './audit-event.ts';
import type { AuditEntry } from './audit-log.ts';

/** Who made a change, as the reader of the log may know it: to an account, an operator has no name. */
export type ToldActor =
  | Exclude<Actor, { kind: 'operator' }>
  | (Omit<Extract<Actor, { kind: 'operator' }>, 'name'> & { readonly name?: string });

/** An entry of the log, as its reader may know it. */
export interface ToldEntry extends Omit<AuditEntry, 'event'> {
  readonly event: Omit<AuditEvent, 'actor' | 'origin'> & {
    readonly actor: ToldActor;
    /** Null where the reader may not know from where an operator made the change. */
    readonly origin: string | null;
  };
}

/**
 * Returns the entry as the caller may know it. What operators did is told to accounts without their names and machines:
 * these are names of people, users and hosts of those who run the service.
 */
export function toldTo(caller: Principal | Operator, entry: AuditEntry): ToldEntry {
  const { event } = entry;
  if (caller.kind === 'operator' || event.actor.kind !== 'operator') return entry;
  const { name: _, ...actor } = event.actor;
  return { ...entry, event: { ...event, actor, origin: null } };
}
