import type { AuditPosition } from '../audit/seals/audit-seal.ts';
import { readRows } from '../audit/seals/sealed-rows.ts';
import type { Ports } from '../ports.ts';
import type { Instant } from '../time/instant.ts';
import type { SealedEvent } from './reaction.ts';
import type { ReactionState } from './reaction-repository.ts';

/** The events of one seal, or of its end. */
interface SealedStep {
  /** The last position of the seal. */
  readonly to: AuditPosition;
  readonly events: readonly SealedEvent[];
}

/**
 * Reads the events of the first seal after this position; undefined if nothing is sealed there. Events get their
 * positions when they are sealed, which is after their commits, so no event can later come before this step. Seals
 * whose events were pruned are passed over.
 */
export async function sealedEventsAfter(
  { auditSeals }: Ports<'auditSeals'>,
  after: AuditPosition | 0,
): Promise<SealedStep | undefined> {
  const [seal] = await auditSeals.list({ after, limit: 1, unpruned: true });
  if (!seal) return undefined;
  const rows = await readRows(auditSeals, seal);
  // An event that another program deleted is missing. The verification of the log reports it.
  const events = rows.flatMap(({ position, event }) =>
    event && position > after ? [{ position, event: event.event }] : [],
  );
  return { to: seal.last, events };
}

/** Returns the position of the last sealed event; 0 if no event is sealed. */
export async function lastSealedPosition({ auditSeals }: Ports<'auditSeals'>): Promise<AuditPosition | 0> {
  return (await auditSeals.findLast())?.last ?? 0;
}

/** Returns since when an event waits for the reaction, in a lane or to be addressed; null if none waits. */
export async function waitsSince(
  { auditSeals }: Ports<'auditSeals'>,
  { position, waitingSince }: Pick<ReactionState, 'position' | 'waitingSince'>,
): Promise<Instant | null> {
  const [next] = await auditSeals.list({ after: position, limit: 1, unpruned: true });
  if (!next) return waitingSince;
  return waitingSince === null ? next.sealedAt : (Math.min(waitingSince, next.sealedAt) as Instant);
}
