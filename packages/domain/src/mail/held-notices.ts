import type { SealedEvent } from '../reactions/reaction.ts';
import type { Instant } from '../time/instant.ts';
import type { UserId } from '../users/user.ts';

/** A person gets at most this many messages about events within an hour. Later ones wait and become one message. */
export const MAX_NOTICES = 10;

/** An hour, in milliseconds. */
export const NOTICE_WINDOW_MS = 3_600_000;

/** Events that become one message to a person. */
export interface Digest {
  readonly userId: UserId;
  /** In the order of their positions. */
  readonly notices: readonly SealedEvent[];
}

/**
 * Counts the messages to each person, and keeps the events that wait for one message about all of them. Implementations
 * pass `heldNoticesContract`.
 */
export interface HeldNotices {
  /**
   * Decides whether the person gets a message about an event now, and stores the decision. `held`: the person got `limit` messages
   * within the window, or other events wait already. The same event gets the same answer again.
   */
  admit(
    userId: UserId,
    notice: SealedEvent,
    pace: { readonly now: Instant; readonly limit: number; readonly windowMs: number },
  ): Promise<'send' | 'held'>;

  /**
   * Takes the waiting events of up to `limit` persons whose first one waits since `heldBefore` or longer, up to `each`
   * for each person. Until `until`, no other call gets the events of these persons.
   */
  takeDue(options: {
    readonly now: Instant;
    readonly heldBefore: Instant;
    readonly until: Instant;
    readonly limit: number;
    readonly each: number;
  }): Promise<readonly Digest[]>;

  /** Deletes events after the person got the message about them. */
  settle(digest: Digest): Promise<void>;

  /** Deletes up to `limit` records of messages that were sent before this time. Returns how many. */
  forget(options: { readonly sentBefore: Instant; readonly limit: number }): Promise<number>;
}
