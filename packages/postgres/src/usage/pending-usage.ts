import type { Instant } from '@gatehouse/domain/time';
import type { RefusalCounts, TokenId, TokenUsage, UsageCounts, UsageRefusal } from '@gatehouse/domain/tokens';

const NO_REFUSALS: RefusalCounts = {};

/** The usage of one token that is not stored yet. It is mutable: every use updates it, without an allocation. */
export class PendingUsage {
  /** The earliest moment that is not stored yet. */
  since: Instant;
  uses = 0;
  firstUsedAt: Instant | undefined;
  #lastUsedAt: Instant;
  #lastRefusal: TokenUsage['lastRefusal'] = null;
  #refusals: Map<UsageRefusal, number> | undefined;

  /** Starts at the moment that is about to be recorded. */
  constructor(at: Instant) {
    this.since = at;
    this.#lastUsedAt = at;
  }

  used(at: Instant): void {
    this.firstUsedAt ??= at;
    if (this.uses === 0 || at > this.#lastUsedAt) this.#lastUsedAt = at;
    this.uses += 1;
  }

  refused(at: Instant, reason: UsageRefusal): void {
    if (this.#lastRefusal === null || at >= this.#lastRefusal.at) this.#lastRefusal = { at, reason };
    this.#count(reason, 1);
  }

  /** Merges earlier usage that could not be stored. */
  addEarlier(earlier: PendingUsage): void {
    if (earlier.since < this.since) this.since = earlier.since;
    this.firstUsedAt = earlier.firstUsedAt ?? this.firstUsedAt;
    if (earlier.uses > 0 && (this.uses === 0 || earlier.#lastUsedAt > this.#lastUsedAt)) {
      this.#lastUsedAt = earlier.#lastUsedAt;
    }
    this.uses += earlier.uses;
    const refusal = earlier.#lastRefusal;
    if (refusal && (this.#lastRefusal === null || refusal.at > this.#lastRefusal.at)) {
      this.#lastRefusal = refusal;
    }
    for (const [reason, count] of earlier.#refusals ?? []) this.#count(reason, count);
  }

  last(): TokenUsage {
    return { lastUsedAt: this.uses === 0 ? null : this.#lastUsedAt, lastRefusal: this.#lastRefusal };
  }

  counts(tokenId: TokenId): UsageCounts {
    const { lastUsedAt, lastRefusal } = this.last();
    const refusals = this.#refusals ? Object.fromEntries(this.#refusals) : NO_REFUSALS;
    const at = Math.max(lastUsedAt ?? 0, lastRefusal?.at ?? 0) as Instant;
    return { tokenId, uses: this.uses, refusals, at };
  }

  #count(reason: UsageRefusal, count: number): void {
    this.#refusals ??= new Map();
    this.#refusals.set(reason, (this.#refusals.get(reason) ?? 0) + count);
  }
}
