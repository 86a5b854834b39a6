import type { AccessDenied } from '../../access/index.ts';
import type { Instant } from '../../time/instant.ts';
import type { RecordRefusal } from '../refusal-reasons.ts';
import type { TokenId } from '../token.ts';

/** The reason why a token with a valid signature was refused. */
export type UsageRefusal = RecordRefusal | Exclude<AccessDenied['code'], 'token_not_accepted' | 'not_found'>;

/** The last use and the last refusal of a token. */
export interface TokenUsage {
  readonly lastUsedAt: Instant | null;
  /** The address of the last use, as in `AddressOfUse`; null if it is unknown, or was deleted. */
  readonly lastUsedFrom: string | null;
  readonly lastRefusal: {
    readonly at: Instant;
    readonly reason: UsageRefusal;
    /** The address of the refused request, as in `lastUsedFrom`. */
    readonly from: string | null;
  } | null;
}

/** The usage of a token without recorded uses and refusals. */
export const NEVER_USED: TokenUsage = { lastUsedAt: null, lastUsedFrom: null, lastRefusal: null };

/** The number of addresses that are stored of a token's last uses. The same number is stored of its last refusals. */
export const KEPT_ADDRESSES = 5;

/** The uses of a token from one client. */
export interface AddressOfUse {
  /** An IPv4 address, or the /64 of an IPv6 address, such as `10.0.0.5` and `2001:db8::/64`. */
  readonly address: string;
  readonly firstAt: Instant;
  readonly lastAt: Instant;
  /** The approximate number of requests: uses that a recorder stores again after a failure may count twice. */
  readonly times: number;
}

/** The refusals of a token from one client. */
export interface AddressOfRefusal extends AddressOfUse {
  /** The reason of the last one. */
  readonly reason: UsageRefusal;
}

/**
 * Returns the address of the last request, which was made at this time; null if the address was not recorded, or was deleted.
 */
export function addressAt(
  at: Instant | null,
  newestFirst: readonly Pick<AddressOfUse, 'address' | 'lastAt'>[],
) {
  const [newest] = newestFirst;
  return newest !== undefined && newest.lastAt === at ? newest.address : null;
}

/** The usage of a token with the last addresses of its uses and refusals, newest first. */
export interface TokenUsageWithAddresses extends TokenUsage {
  readonly usedFrom: readonly AddressOfUse[];
  readonly refusedFrom: readonly AddressOfRefusal[];
}

/**
 * Records the last use and the last refusal of each token. Recording is part of every request, so it never waits and
 * never fails. Everything is sent to the store within a second. A token's first use is sent at once, unless that of another
 * token was sent within this second. A time is never replaced by an earlier one. A graceful shutdown loses none.
 *
 * `from` is the client's IP address, if it is known. The last addresses of uses and of refusals are stored, at most
 * `KEPT_ADDRESSES` of each, as `addressOfUse` writes them.
 *
 * The first use of a successor sets the expiry of its predecessor, with an event `token.replaced`, in the step that stores
 * the use. This happens once, even if several recorders store the use. The predecessor works for the grace period after that
 * use, and never longer than before. Nothing changes if it has ended by then or was already replaced, or if the successor is
 * revoked, so that another token may replace it. `tokenRotationContract` tests this part.
 * Implementations pass `usageRecorderContract`.
 */
export interface UsageRecorder {
  used(id: TokenId, at: Instant, from?: string): void;
  refused(id: TokenId, at: Instant, reason: UsageRefusal, from?: string): void;
  /** Resolves when all usage that was recorded before the call is stored. Rejects if the usage cannot be stored now. */
  flush(): Promise<void>;
}

/** Wraps a recorder so that it records no addresses. */
export function withoutAddresses<Recorder extends UsageRecorder>(recorder: Recorder): Recorder {
  return {
    ...recorder,
    used: (id, at) => recorder.used(id, at),
    refused: (id, at, reason) => recorder.refused(id, at, reason),
  };
}

/** The lag of a recorder when it last stored usage, by the store's own clock. */
export interface UsageRecorderLag {
  readonly storedAt: Instant;
  /** The age of the oldest usage that the recorder stored, in milliseconds. */
  readonly lagMs: number;
}

/**
 * Reports the lag of the usage recorders of all nodes, newest first. A recorder has one entry after it has stored usage,
 * until it has stored none for a day. A recorder without usage, or without a connection, does not update its entry.
 * Implementations pass `usageRecorderHealthContract`.
 */
export interface UsageRecorderHealth {
  list(): Promise<readonly UsageRecorderLag[]>;
}
