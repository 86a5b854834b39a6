import type { AuditAction, AuditEvent } from '../audit/audit-event.ts';
import type { AuditPosition } from '../audit/seals/audit-seal.ts';
import type { Brand } from '../identifiers.ts';

/** The name of a reaction: `webhooks`, `mail`, or `EXTENSION/NAME` for a reaction of an extension. It never changes. */
export type ReactionName = Brand<string, 'ReactionName'>;

const NAME = /^[a-z][a-z0-9-]{0,62}(?:\/[a-z][a-z0-9-]{0,62})?$/;

/** Parses the name of a reaction; undefined if the text cannot be one. */
export function parseReactionName(text: string): ReactionName | undefined {
  return NAME.test(text) ? (text as ReactionName) : undefined;
}

/** An event that a seal has, with its position in the audit log. */
export interface SealedEvent {
  readonly position: AuditPosition;
  readonly event: AuditEvent;
}

/**
 * The queue in which an event waits for a reaction. A reaction handles the events of one lane one after the other, in
 * the order of their positions, and the events of different lanes at the same time.
 */
export type Lane = Brand<string, 'Lane'>;

/** An event and a lane in which it waits. */
export interface Addressed extends SealedEvent {
  readonly lane: Lane;
}

export type DeliveryId = Brand<number, 'DeliveryId'>;

/** An event that a reaction handles or will handle. */
export interface Delivery extends Addressed {
  readonly id: DeliveryId;
  /** The number of tries that failed. */
  readonly tries: number;
}

/** How a try of a handler ended. A handler that throws has failed. */
export type Handled =
  | { readonly kind: 'done' }
  /** Tried again later. `retryAfterMs` is the shortest time until then. */
  | { readonly kind: 'failed'; readonly problem: string; readonly retryAfterMs?: number }
  /** Will never be handled and need not be, such as a message to a receiver that is gone. */
  | { readonly kind: 'dropped'; readonly problem: string };

/** When and how often a reaction tries to handle an event. */
export interface DeliveryPlan {
  /** The time limit for one try, in milliseconds. */
  readonly deadlineMs: number;
  /** The number of tries after which the event is parked. */
  readonly tries: number;
  /** The pause after the first failed try, in milliseconds. Each pause is twice as long as the one before. */
  readonly firstPauseMs: number;
  /** The longest pause, in milliseconds. */
  readonly longestPauseMs: number;
  /** The largest number of lanes whose events are handled at the same time. */
  readonly concurrency: number;
}

/** The plan of most reactions: 20 tries, with pauses from 1 second to 1 hour. */
export const USUAL_PLAN: DeliveryPlan = {
  deadlineMs: 15_000,
  tries: 20,
  firstPauseMs: 1000,
  longestPauseMs: 3_600_000,
  concurrency: 8,
};

/**
 * Something to do after an event. A reaction sees each sealed event of the audit log at least once, and in
 * order within a lane. `position` tells a repeated event from a new one.
 */
export interface Reaction {
  readonly name: ReactionName;
  /** The actions of the events that it wants. No other event reaches `address`. */
  readonly on: readonly AuditAction[] | 'all';
  readonly plan: DeliveryPlan;
  /**
   * Chooses the lanes in which these events wait: none, one or several for each event. Only reads. If it throws, the
   * same events are addressed again later.
   */
  address(events: readonly SealedEvent[]): Promise<readonly Addressed[]>;
  /** Handles one event. The one who calls it does not wait longer than the deadline of the plan. */
  handle(delivery: Delivery): Promise<Handled>;
}

/** Lets each event wait in the lane of its account. Events of no account have a lane of their own. */
export async function byAccount(events: readonly SealedEvent[]): Promise<readonly Addressed[]> {
  return events.map((each) => ({
    ...each,
    lane: (each.event.accountId === null ? 'installation' : `account ${each.event.accountId}`) as Lane,
  }));
}
