import type { AuditEvent, AuditPosition } from '@gatehouse/domain/audit';
import type {
  Addressed,
  Delivery,
  DeliveryId,
  Lane,
  ReactionName,
  ReactionState,
  StuckDelivery,
} from '@gatehouse/domain/reactions';
import type { Instant } from '@gatehouse/domain/time';
import { type RawBuilder, sql } from 'kysely';
import { onPrimary } from '../database/primary/primary-only.ts';
import type { Queries } from '../database/schema.ts';

export interface DeliveryRow {
  readonly id: DeliveryId;
  readonly lane: Lane;
  readonly position: AuditPosition;
  readonly event: AuditEvent;
  readonly tries: number;
}

interface StuckRow extends DeliveryRow {
  readonly problem: string | null;
  readonly parked_at: Instant | null;
  readonly next_at: Instant | null;
}

export function toDelivery({ id, lane, position, event, tries }: DeliveryRow): Delivery {
  return Object.freeze({ id, lane, position, event: frozenEvent(event), tries });
}

/** Selects the stuck deliveries of a reaction that fit the condition. Uses the index reaction_deliveries_stuck. */
export async function selectStuck(
  db: Queries,
  reaction: ReactionName,
  which: RawBuilder<unknown>,
): Promise<readonly StuckDelivery[]> {
  const { rows } = await sql<StuckRow>`
    select d.id, d.lane, d.position, d.event, d.tries, d.problem, d.parked_at,
      case when d.parked_at is null then lanes.next_at end as next_at
    from reaction_deliveries as d left join reaction_lanes as lanes using (reaction, lane)
    where d.reaction = ${reaction} and d.tries > 0 and ${onPrimary} and ${which}`.execute(db);
  return rows.map((row) =>
    Object.freeze({
      ...toDelivery(row),
      reaction,
      problem: row.problem ?? '',
      nextAt: row.next_at,
      parkedAt: row.parked_at,
    }),
  );
}

/**
 * Reads the states of reactions. The counts read the partial indexes reaction_deliveries_waiting and
 * reaction_deliveries_stuck.
 */
export async function selectStates(db: Queries, which = sql`true`): Promise<readonly ReactionState[]> {
  const { rows } = await sql<ReactionState>`
    select name, position, coalesce(held_until > clock_timestamp(), false) as running,
      (select count(*) from reaction_deliveries where reaction = name and parked_at is null) as waiting,
      (select (event->>'at')::bigint from reaction_deliveries where reaction = name and parked_at is null
        order by position limit 1) as "waitingSince",
      (select count(*) from reaction_deliveries where reaction = name and tries > 0 and parked_at is null) as failing,
      (select count(*) from reaction_deliveries where reaction = name and tries > 0 and parked_at is not null) as parked
    from reactions where ${which} and ${onPrimary} order by name collate "C"`.execute(db);
  return rows.map((row) => Object.freeze(row));
}

/** Converts addressed events to one JSON text. */
export function addressedJson(addressed: readonly Addressed[]): string {
  return JSON.stringify(addressed.map(({ lane, position, event }) => ({ lane, position, event })));
}

/** Freezes an event that was read from JSON. */
export function frozenEvent(event: AuditEvent): AuditEvent {
  const { actor, subject, details } = event;
  return Object.freeze({
    ...event,
    actor: Object.freeze(actor),
    subject: Object.freeze(subject),
    details: Object.freeze(details),
  });
}
