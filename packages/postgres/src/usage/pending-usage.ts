import type { Instant } from '@gatehouse/domain/time';
import type { RefusalCounts, TokenId, TokenUsage, UsageCounts, UsageRefusal } from '@gatehouse/domain/tokens';

const NO_REFUSALS: RefusalCounts = {};

/** The usage of one token that is not stored yet. It is mutable: every request updates it, without an allocation. */
export class PendingUsage {
  /** The earliest moment that is not stored yet. */
  since: Instant;
  uses = 0;
  firstUsedAt: Instant | undefined;
  refusals: Map<UsageRefusal, number> | undefined;
  #lastUsedAt: Instant;
  #lastRefusedAt: Instant;
  #lastReason: UsageRefusal | undefined;

  /** Starts at the moment that is about to be recorded. */
  constructor(at: Instant) {
    this.since = at;
    this.#lastUsedAt = at;
    this.#lastRefusedAt = at;
  }

  used(at: Instant): void {
    this.firstUsedAt ??= at;
    if (this.uses === 0 || at > this.#lastUsedAt) this.#lastUsedAt = at;
    this.uses += 1;
  }

  refused(at: Instant, reason: UsageRefusal): void {
    if (this.#lastReason === undefined || at >= this.#lastRefusedAt) {
      this.#lastRefusedAt = at;
      this.#lastReason = reason;
    }
    this.refusals ??= new Map();
    this.refusals.set(reason, (this.refusals.get(reason) ?? 0) + 1);
  }

  /** Merges earlier usage that could not be stored. */
  addEarlier(earlier: PendingUsage): void {
    if (earlier.since < this.since) this.since = earlier.since;
    this.firstUsedAt = earlier.firstUsedAt ?? this.firstUsedAt;
    if (earlier.uses > 0 && (this.uses === 0 || earlier.#lastUsedAt > this.#lastUsedAt)) {
      this.#lastUsedAt = earlier.#lastUsedAt;
    }
    this.uses += earlier.uses;
    if (
      earlier.#lastReason !== undefined &&
      (this.#lastReason === undefined || earlier.#lastRefusedAt > this.#lastRefusedAt)
    ) {
      this.#lastRefusedAt = earlier.#lastRefusedAt;
      this.#lastReason = earlier.#lastReason;
    }
    for (const [reason, count] of earlier.refusals ?? []) {
      this.refusals ??= new Map();
      this.refusals.set(reason, (this.refusals.get(reason) ?? 0) + count);
    }
  }

  last(): TokenUsage {
    return {
      lastUsedAt: this.uses === 0 ? null : this.#lastUsedAt,
      lastRefusal:
        this.#lastReason === undefined ? null : { at: this.#lastRefusedAt, reason: this.#lastReason },
    };
  }

  counts(tokenId: TokenId): UsageCounts {
    const { lastUsedAt, lastRefusal } = this.last();
    return {
      tokenId,
      uses: this.uses,
      refusals: this.refusals ? Object.fromEntries(this.refusals) : NO_REFUSALS,
      at: Math.max(lastUsedAt ?? 0, lastRefusal?.at ?? 0) as Instant,
    };
  }
}
