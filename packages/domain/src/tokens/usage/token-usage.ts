import type { AccessDenied } from '../../access/index.ts';
import type { ServiceName } from '../../services/service.ts';
import type { CredentialId } from '../../services/service-credential.ts';
import type { Instant } from '../../time/instant.ts';
import type { RecordedRefusal } from '../refusal-reasons.ts';
import type { TokenId } from '../token.ts';

/** The reason why a token with a valid signature was refused. */
export type UsageRefusal =
  | RecordedRefusal
  | Exclude<AccessDenied['code'], 'token_not_accepted' | 'not_found'>;

/** The last use and the last refusal of a token. */
export interface TokenUsage {
  readonly lastUsedAt: Instant | null;
  /** The client's address at the last use, in the form of `AddressOfUse`; null if it is unknown, or was deleted. */
  readonly lastUsedFrom: string | null;
  readonly lastRefusal: {
    readonly at: Instant;
    readonly reason: UsageRefusal;
    /** The client's address at the last refusal; null if it is unknown, or was deleted. */
    readonly from: string | null;
    /** The service that reported this refusal; undefined if Gatehouse itself refused the token. */
    readonly reportedBy?: ServiceName;
  } | null;
}

/** The usage of a token without recorded uses and refusals. */
export const NEVER_USED: TokenUsage = { lastUsedAt: null, lastUsedFrom: null, lastRefusal: null };

/** At most this many addresses are stored for the last uses of a token, and as many for its last refusals. */
export const KEPT_ADDRESSES = 5;

/** The uses of a token from one address. */
export interface AddressOfUse {
  /** An IPv4 address, or the /64 of an IPv6 address, such as `10.0.0.5` and `2001:db8::/64`. */
  readonly address: string;
  readonly firstAt: Instant;
  readonly lastAt: Instant;
  /** The approximate number of requests: uses that a recorder stores again after a failure may count twice. */
  readonly times: number;
}

/** The refusals of a token from one address. */
export interface AddressOfRefusal extends AddressOfUse {
  /** The reason of the last refusal from this address. */
  readonly reason: UsageRefusal;
}

/**
 * Returns the address of the last request, which was made at the time `at`; null if that address was not recorded, or
 * was deleted.
 */
export function addressAt(
  at: Instant | null,
  newestFirst: readonly Pick<AddressOfUse, 'address' | 'lastAt'>[],
) {
  const [newest] = newestFirst;
  return newest !== undefined && newest.lastAt === at ? newest.address : null;
}

/** The last use of a token at a service that introspected it, or at a gateway in front of the service. */
export interface UseAtService {
  readonly service: ServiceName;
  readonly lastAt: Instant;
  /** The client's address in the form of `AddressOfUse`; null if the service did not say it, or it was deleted. */
  readonly from: string | null;
  /** Whether the service reported this use. If not, the service asked Gatehouse about it. */
  readonly isReported: boolean;
}

/**
 * Returns the last use of a token after a service reported a use. `usage` has the last use before the report, and the
 * last refusal after it. A report must not end that a token counts as refused since its last use. Therefore a reported
 * use of such a token counts at the latest at the time of that refusal.
 */
export function lastUseWithReport(
  { lastUsedAt, lastRefusal }: Pick<TokenUsage, 'lastUsedAt' | 'lastRefusal'>,
  reportedAt: Instant,
): Instant {
  const isRefused = lastRefusal !== null && (lastUsedAt === null || lastRefusal.at >= lastUsedAt);
  const counted = isRefused ? Math.min(reportedAt, lastRefusal.at) : reportedAt;
  return Math.max(lastUsedAt ?? counted, counted) as Instant;
}

/** The service at which a token is used. */
export interface UsedService {
  readonly name: ServiceName;
  /** The client's IP address, if the service or its gateway says it. It is stored for the use at this service only. */
  readonly from?: string | undefined;
}

/** The usage of a token with the last addresses of its uses and refusals, newest first. */
export interface TokenUsageWithAddresses extends TokenUsage {
  readonly usedFrom: readonly AddressOfUse[];
  readonly refusedFrom: readonly AddressOfRefusal[];
  /** The services at which the token was used, the last use first. */
  readonly usedAt: readonly UseAtService[];
  /**
   * The last addresses of requests that came from elsewhere while the networks of the token were `report-only`, newest
   * first. At most `KEPT_ADDRESSES` are kept, in the form that `addressOfUse` returns.
   */
  readonly reportedFrom: readonly AddressOfUse[];
}

/** The usage with addresses of a token without recorded uses and refusals. */
export const NOT_USED_ANYWHERE: TokenUsageWithAddresses = {
  ...NEVER_USED,
  usedFrom: [],
  refusedFrom: [],
  usedAt: [],
  reportedFrom: [],
};

/**
 * Records the last use and the last refusal of each token. Recording is part of every request, so it never waits and
 * never fails. All usage is sent to the database within a second. The first use of a token is sent immediately, unless
 * the first use of another token was sent in the same second. A stored time is never replaced by an earlier time. A
 * graceful shutdown loses no usage.
 *
 * If a token was used at a service, `service` names it. The last use at each service is stored, and counts as a use of
 * the token, too. A use of a service's credential is stored with less accuracy: within a minute.
 *
 * `from` is the client's IP address, if Gatehouse has seen it. An address that a service reports is not among these
 * addresses, because a service could replace them by invented ones. At most `KEPT_ADDRESSES` addresses are stored for
 * the last uses of a token, and as many for its last refusals, in the form that `addressOfUse` returns.
 *
 * The first use of a successor sets the expiry of its predecessor. The same atomic step stores the use, the new expiry
 * and an event `token.replaced`. This happens once, even if several recorders store the use. The predecessor is
 * accepted for the grace period after that use, but not beyond its former expiry. The predecessor does not change if it
 * has already ended or been replaced. It does not change either if the successor is revoked, and may then be rotated
 * again.
 * `tokenRotationContract` tests this part.
 * Implementations pass `usageRecorderContract`.
 */
export interface UsageRecorder {
  used(id: TokenId, at: Instant, from?: string, service?: UsedService): void;
  refused(id: TokenId, at: Instant, reason: UsageRefusal, from?: string): void;
  /**
   * Records, in addition to a use, that the token was used from outside of its networks, which are `report-only`
   * (`TokenUsageWithAddresses.reportedFrom`). `usedOutsideContract` tests this part.
   */
  usedOutside(id: TokenId, at: Instant, from: string): void;
  usedCredential(id: CredentialId, at: Instant): void;
  /** Resolves when all usage that was recorded before the call is stored. Rejects if the usage cannot be stored now. */
  flush(): Promise<void>;
}

/** Wraps a recorder so that it records no addresses. */
export function withoutAddresses<Recorder extends UsageRecorder>(recorder: Recorder): Recorder {
  return {
    ...recorder,
    used: (id, at, _, service) =>
      service ? recorder.used(id, at, undefined, { name: service.name }) : recorder.used(id, at),
    refused: (id, at, reason) => recorder.refused(id, at, reason),
    usedOutside: () => undefined,
  };
}

/**
 * The time at which a recorder last stored usage, by the database's clock, and the lag of the recorder at that time.
 */
export interface UsageRecorderLag {
  readonly storedAt: Instant;
  /** The age of the oldest usage that the recorder stored, in milliseconds. */
  readonly lagMs: number;
}

/**
 * Reports the lag of the usage recorders of all nodes, newest first. A recorder has one entry, which it updates when it
 * stores usage. The entry disappears after a day without an update. A recorder that has no usage to store, or no
 * connection to the database, does not update its entry.
 * Implementations pass `usageRecorderHealthContract`.
 */
export interface UsageRecorderHealth {
  list(): Promise<readonly UsageRecorderLag[]>;
}
