import type { AuditEvent } from '../audit/audit-event.ts';
import type { AuditPosition } from '../audit/seals/audit-seal.ts';
import type { Brand } from '../identifiers.ts';
import type { Result } from '../result.ts';
import type { Instant } from '../time/instant.ts';
import type { Addressed, Delivery, DeliveryId, Lane, ReactionName } from './reaction.ts';

/** Identifies a server process that runs a reaction. */
export type HolderId = Brand<string, 'HolderId'>;

/** How far a reaction is. */
export interface ReactionState {
  readonly name: ReactionName;
  /** The position of the last event that was addressed. */
  readonly position: AuditPosition | 0;
  /** The number of events that wait in lanes. */
  readonly waiting: number;
  /** The time at which the event that waits longest happened; null if none waits. */
  readonly waitingSince: Instant | null;
  /** The number of waiting events whose last try failed. Only the first one of a lane is tried. */
  readonly failing: number;
  /** The number of events that were given up after the last try. */
  readonly parked: number;
  /** Whether a process runs the reaction now. */
  readonly running: boolean;
}

/** A delivery that waits after a failed try, or was given up. */
export interface StuckDelivery extends Delivery {
  readonly reaction: ReactionName;
  /** Why the last try failed. */
  readonly problem: string;
  /** The time of the next try; null if the delivery is parked. */
  readonly nextAt: Instant | null;
  readonly parkedAt: Instant | null;
}

/** The waiting events of a lane, in order. */
export interface DueLane {
  readonly lane: Lane;
  /** The first events of the lane. */
  readonly deliveries: readonly Delivery[];
}

/** The outcome for the events of a lane that were handled in one go. */
export interface LaneOutcome {
  readonly lane: Lane;
  /** These events leave the lane. */
  readonly done: readonly DeliveryId[];
  /** The first event that stays, if its try failed. */
  readonly failed?:
    | {
        readonly id: DeliveryId;
        readonly tries: number;
        readonly problem: string;
        /** The time of the next try, or the time at which the event is given up. */
        readonly next: { readonly retryAt: Instant } | { readonly parkedAt: Instant };
      }
    | undefined;
}

export type ReactionNotFound = { readonly code: 'reaction_not_found' };
export type DeliveryNotFound = { readonly code: 'delivery_not_found' };

/**
 * Stores how far reactions are. Implementations pass `reactionRepositoryContract`.
 *
 * Only the process that holds a reaction changes its lanes. A process that lost it to another one changes nothing:
 * methods with `holder` then return false.
 */
export interface ReactionRepository {
  /** Stores a reaction that begins after this position. If it is stored already, nothing changes. */
  register(name: ReactionName, after: AuditPosition | 0): Promise<void>;

  /**
   * Takes the reaction for `forMs` milliseconds by the clock of the store, or keeps it. Returns its position; undefined
   * if another process holds it or it is not registered.
   */
  hold(name: ReactionName, holder: HolderId, forMs: number): Promise<AuditPosition | 0 | undefined>;

  /** Lets another process take the reaction at once. */
  release(name: ReactionName, holder: HolderId): Promise<void>;

  /**
   * Moves the reaction from one position to another and puts the events into their lanes, in one durable transaction.
   * An event that waits or is parked in its lane already stays there once. Returns false, and changes nothing, if
   * another process holds the reaction, or if its position is not `from`.
   */
  advance(
    name: ReactionName,
    holder: HolderId,
    step: {
      readonly from: AuditPosition | 0;
      readonly to: AuditPosition;
      readonly addressed: readonly Addressed[];
      readonly now: Instant;
    },
  ): Promise<boolean>;

  /**
   * Returns up to `lanes` lanes whose next try is due, those that wait longest first, each with up to `each` events.
   */
  findDue(
    name: ReactionName,
    query: {
      readonly now: Instant;
      readonly lanes: number;
      readonly each: number;
      readonly except: readonly Lane[];
    },
  ): Promise<readonly DueLane[]>;

  /**
   * Stores what became of a lane's events. The next event of a lane is due at once unless a try failed. Leaves alone
   * what an operator skipped meanwhile. May be forgotten after a crash: the events are then handled again.
   */
  settle(name: ReactionName, holder: HolderId, outcome: LaneOutcome, now: Instant): Promise<boolean>;

  /** Returns the state of every reaction, by name. */
  list(): Promise<readonly ReactionState[]>;

  /** Returns deliveries that wait after a failed try or are parked: parked ones first, then by position. */
  findStuck(query: {
    readonly reaction: ReactionName;
    readonly limit: number;
  }): Promise<readonly StuckDelivery[]>;

  /** Lets a parked delivery wait again with all its tries, or tries a failed one at once. Stores the event. */
  retry(
    name: ReactionName,
    id: DeliveryId,
    now: Instant,
    audit: (stuck: StuckDelivery) => AuditEvent,
  ): Promise<Result<void, ReactionNotFound | DeliveryNotFound>>;

  /** Gives a stuck delivery up for good, so that the next one of its lane is tried. Stores the event. */
  skip(
    name: ReactionName,
    id: DeliveryId,
    now: Instant,
    audit: (stuck: StuckDelivery) => AuditEvent,
  ): Promise<Result<void, ReactionNotFound | DeliveryNotFound>>;

  /** Sets the position, so that later events are addressed, maybe again. Stores the event. */
  move(
    name: ReactionName,
    to: AuditPosition | 0,
    audit: (from: AuditPosition | 0) => AuditEvent,
  ): Promise<Result<void, ReactionNotFound>>;

  /** Deletes a reaction with its lanes. Stores the event. */
  remove(
    name: ReactionName,
    audit: (state: ReactionState) => AuditEvent,
  ): Promise<Result<void, ReactionNotFound>>;
}
