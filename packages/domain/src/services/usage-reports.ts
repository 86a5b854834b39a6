import type { Instant } from '../time/instant.ts';
import type { TokenId } from '../tokens/token.ts';
import type { UsageRefusal } from '../tokens/usage/token-usage.ts';
import type { ServiceName } from './service.ts';

/** The reasons for which a service can refuse a token whose introspection it remembers. */
export const REPORTABLE_REFUSALS = [
  'insufficient_scope',
  'expired',
  'network_not_allowed',
] as const satisfies readonly UsageRefusal[];

/** Requests with one token that a service decided on by itself, because it remembered an introspection. */
interface ReportedRequests {
  readonly token: TokenId;
  /** The number of requests, at least 1. */
  readonly count: number;
  /** The time of the last of these requests. */
  readonly lastAt: Instant;
}

/** Requests that a service accepted. */
export interface ReportedUse extends ReportedRequests {
  /** The IP address of the client; undefined if the service does not say it. Any other text is ignored. */
  readonly from?: string | undefined;
  /** The time that counts as last use of the token, not after `lastAt`. Default: `lastAt`. */
  readonly countsAt?: Instant | undefined;
}

/** Requests that a service refused. */
export interface ReportedRefusal extends ReportedRequests {
  readonly reason: (typeof REPORTABLE_REFUSALS)[number];
}

/** One report of a service. A token may have several entries, such as one for each address. */
export interface UsageReport {
  readonly uses: readonly ReportedUse[];
  readonly refusals: readonly ReportedRefusal[];
}

/**
 * Stores the uses and refusals of tokens that services report. They are counted with those that a `UsageRecorder`
 * records. A stored time is never replaced by an earlier time. Four things differ, because a service only says that
 * they happened:
 * - The last use at the service and the last refusal are stored as reported by the service (`UseAtService.isReported`,
 *   `TokenUsage.lastRefusal`).
 * - The address of a use is stored for the use at this service only, as `UsedService.from` is. Addresses that Gatehouse
 *   saw stay as they are.
 * - A reported use never sets the expiry of a predecessor, as the first use of a successor does otherwise.
 * - A token that was refused since its last use stays so (`lastUseWithReport`).
 *
 * Implementations pass `usageReportsContract`.
 */
export interface UsageReports {
  /**
   * Finds when each of these tokens was first used at the service by an introspection or at a gateway. A token that was
   * never used there is left out, whether it exists or not.
   */
  findFirstUses(service: ServiceName, tokens: readonly TokenId[]): Promise<ReadonlyMap<TokenId, Instant>>;
  /** Stores a report in one atomic step, and tells it to usage feeds. Skips tokens that do not exist. */
  store(service: ServiceName, report: UsageReport): Promise<void>;
}

/** Wraps a store of reports so that it stores no addresses. */
export function withoutReportedAddresses({ findFirstUses, store }: UsageReports): UsageReports {
  return {
    findFirstUses,
    store: (service, { uses, refusals }) =>
      store(service, { uses: uses.map((use) => ({ ...use, from: undefined })), refusals }),
  };
}
