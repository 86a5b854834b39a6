import type { AccountId } from '../accounts/account.ts';
import type { Brand } from '../identifiers.ts';
import type { OrganizationId } from '../organizations/organization.ts';
import type { ServiceName } from '../services/service.ts';
import type { KeyId } from '../signing-keys/signing-key.ts';
import type { Clock, MonotonicClock } from '../time/clock.ts';
import type { Instant } from '../time/instant.ts';
import type { TokenId } from '../tokens/token.ts';
import type { UserId } from '../users/user.ts';

/** A record that may have changed since a server read it. */
export type Change =
  | { readonly kind: 'token'; readonly id: TokenId }
  | { readonly kind: 'user'; readonly id: UserId }
  | { readonly kind: 'account'; readonly id: AccountId }
  | { readonly kind: 'organization'; readonly id: OrganizationId }
  | { readonly kind: 'membership'; readonly organizationId: OrganizationId; readonly userId: UserId }
  | { readonly kind: 'key'; readonly id: KeyId }
  /** Any organizations, because one statement changed too many to list them. */
  | { readonly kind: 'organizations' }
  /** Any memberships, because one statement changed too many to list them. */
  | { readonly kind: 'memberships' }
  /** A service, or a scope, an account or a credential of it. */
  | { readonly kind: 'service'; readonly id: ServiceName }
  /** A row of an extension's table. The name of the table begins with the name of the schema. */
  | { readonly kind: 'row'; readonly table: string; readonly id: number | string }
  /** Any rows of an extension's table, because too many rows changed to list them. */
  | { readonly kind: 'rows'; readonly table: string }
  /** Too many changes to list, or unknown changes because the feed was interrupted. */
  | { readonly kind: 'everything' };

/**
 * The moment up to which every committed change has been received, as a time of the monotonic clock and of the wall
 * clock.
 */
export interface HeardUpTo {
  readonly elapsedMs: number;
  readonly at: Instant;
  /**
   * Names the database server that reported the changes: another server, and the same server after a restart or a
   * failover, has another name. Undefined if the feed cannot find out.
   */
  readonly database: DatabaseServer | undefined;
}

/** Names a running database server (ADR 53). Equal names mean the same server since the same start. */
export type DatabaseServer = Brand<string, 'DatabaseServer'>;

/**
 * Reports every change in the database to every node, including changes by other programs.
 *
 * A change is delivered after its commit and before `heardUpTo` reaches the time of the commit. So a listener that
 * received no change up to `heardUpTo` knows that no record changed. After an interruption, `heardUpTo` advances only
 * when `everything` has been delivered. If `heardUpTo` may have been wrong, it becomes undefined, and `everything` is
 * delivered immediately. A change can be delivered more than once, or as a change that includes more records.
 * Implementations pass `changeFeedContract`.
 */
export interface ChangeFeed {
  /** Listeners are called synchronously, in the order of the changes. The returned function unsubscribes. */
  subscribe(listener: (change: Change) => void): () => void;

  /**
   * Calls the listener each time `heardUpTo` has advanced, after the changes up to that moment were delivered. The
   * returned function unsubscribes.
   */
  onHeard(listener: () => void): () => void;

  /**
   * Returns the moment up to which all changes were received. Returns undefined before the feed is trusted for the
   * first time, and while this moment may be wrong.
   */
  heardUpTo(): HeardUpTo | undefined;
}

/** The state of a change feed: whether the feed certainly reports every change and, if not, the reason. */
export type ChangeFeedState =
  | { readonly trusted: true }
  | { readonly trusted: false; readonly reason: string };

/** An event of a change feed that is written to the log. */
export type ChangeFeedEvent =
  | { readonly kind: 'trusted' }
  | { readonly kind: 'untrusted'; readonly reason: string }
  /**
   * The address of the database may lead to another database server than before, and the feed cannot detect this.
   * Reported once.
   */
  | { readonly kind: 'servers_unknown'; readonly reason: string }
  /**
   * This machine's clock is ahead of the database's clock by `skewMs`, or behind if `skewMs` is negative. Reported once
   * until the clocks agree again.
   */
  | { readonly kind: 'clock_skewed'; readonly skewMs: number }
  /**
   * Another program or a newer version of Gatehouse uses the channel of notifications. Reported once. `payload` has the
   * beginning of the notification.
   */
  | { readonly kind: 'unknown_notification'; readonly payload: string };

/** A change feed with the functions to start and close it, for the process that runs the feed. */
export interface StartableChangeFeed extends ChangeFeed {
  /**
   * Starts the feed. Call it once. Resolves when the feed is trusted, or when the first attempt to connect has failed.
   * After a failure, the feed tries again.
   */
  start(): Promise<void>;
  state(): ChangeFeedState;
  close(): Promise<void>;
}

interface FreshnessPorts {
  readonly feed: ChangeFeed;
  readonly clock: Clock;
  readonly monotonicClock: MonotonicClock;
  /** Maximum age of data that decides on requests, in milliseconds. */
  readonly maxStalenessMs: number;
}

/**
 * Returns whether the change feed has received changes up to a recent moment, so that cached data may be used now. If a
 * change of a cached record was reported, the record must not be used even then.
 */
export type FreshnessCheck = () => boolean;

/**
 * Both clocks must show that the data is fresh, because the monotonic clock stops while a machine is suspended, and the
 * wall clock can be set back.
 */
export function createFreshnessCheck(ports: FreshnessPorts): FreshnessCheck {
  const { feed, clock, monotonicClock, maxStalenessMs } = ports;
  return () => {
    const heard = feed.heardUpTo();
    if (!heard) return false;
    const wallAge = clock.now() - heard.at;
    return monotonicClock.elapsedMs() - heard.elapsedMs <= maxStalenessMs && wallAge <= maxStalenessMs;
  };
}
