import type { ServiceName } from '@gatehouse/domain/services';
import type { Instant } from '@gatehouse/domain/time';
import type { RefusalCounts, TokenId, UsageCounts, UsageRefusal } from '@gatehouse/domain/tokens';
import { type AddressRoom, PendingAddresses } from './pending-addresses.ts';

const NO_REFUSALS: RefusalCounts = {};

interface LastRefusal {
  readonly at: Instant;
  readonly reason: UsageRefusal;
  /** The service that reported the refusal, if one did. */
  readonly by?: ServiceName;
}

/**
 * The usage of one token that is not stored yet. The object is mutable, so that recording a use allocates no memory.
 */
export class PendingUsage {
  /** The time of the earliest use or refusal that is not stored yet. */
  since: Instant;
  uses = 0;
  firstUsedAt: Instant | undefined;
  #lastUsedAt: Instant;
  #lastRefusal: LastRefusal | null = null;
  #refusals: Map<UsageRefusal, number> | undefined;
  #usedFrom: PendingAddresses | undefined;
  #refusedFrom: PendingAddresses<UsageRefusal> | undefined;
  #outsideFrom: PendingAddresses | undefined;

  /** @param at the time of the first use or refusal, which the caller records next */
  constructor(at: Instant) {
    this.since = at;
    this.#lastUsedAt = at;
  }

  used(at: Instant, from: string | undefined, room: AddressRoom): void {
    this.#use(at, 1);
    if (from === undefined) return;
    this.#usedFrom ??= new PendingAddresses();
    this.#usedFrom.add(from, at, undefined, room);
  }

  refused(at: Instant, reason: UsageRefusal, from: string | undefined, room: AddressRoom): void {
    this.#refuse({ at, reason }, 1);
    if (from === undefined) return;
    this.#refusedFrom ??= new PendingAddresses();
    this.#refusedFrom.add(from, at, reason, room);
  }

  /** Adds the address of a use from outside of the token's networks. The use itself is recorded by `used`. */
  usedOutside(at: Instant, from: string, room: AddressRoom): void {
    this.#outsideFrom ??= new PendingAddresses();
    this.#outsideFrom.add(from, at, undefined, room);
  }

  /** Adds uses that a service reports, the last of them at this time. */
  reportedUses(at: Instant, count: number): void {
    this.#use(at, count);
  }

  /** Adds refusals that a service reports, the last of them at this time. */
  reportedRefusals(by: ServiceName, at: Instant, reason: UsageRefusal, count: number): void {
    this.#refuse({ at, reason, by }, count);
  }

  /** Adds the usage of an earlier batch that could not be stored. */
  addEarlier(earlier: PendingUsage, room: AddressRoom): void {
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
    if (earlier.#usedFrom) {
      this.#usedFrom ??= new PendingAddresses();
      this.#usedFrom.addEarlier(earlier.#usedFrom, room);
    }
    if (earlier.#refusedFrom) {
      this.#refusedFrom ??= new PendingAddresses();
      this.#refusedFrom.addEarlier(earlier.#refusedFrom, room);
    }
    if (earlier.#outsideFrom) {
      this.#outsideFrom ??= new PendingAddresses();
      this.#outsideFrom.addEarlier(earlier.#outsideFrom, room);
    }
  }

  /** Returns the addresses of uses and of refusals; undefined if no address is known. */
  addresses() {
    const [used, refused] = [this.#usedFrom?.toStored() ?? [], this.#refusedFrom?.toStored() ?? []];
    return used.length + refused.length === 0 ? undefined : { used, refused };
  }

  /** Returns the addresses of uses from outside of the token's networks. */
  outside() {
    return this.#outsideFrom?.toStored() ?? [];
  }

  last(): { readonly lastUsedAt: Instant | null; readonly lastRefusal: LastRefusal | null } {
    return { lastUsedAt: this.uses === 0 ? null : this.#lastUsedAt, lastRefusal: this.#lastRefusal };
  }

  counts(tokenId: TokenId): UsageCounts {
    const { lastUsedAt, lastRefusal } = this.last();
    const refusals = this.#refusals ? Object.fromEntries(this.#refusals) : NO_REFUSALS;
    const at = Math.max(lastUsedAt ?? 0, lastRefusal?.at ?? 0) as Instant;
    return { tokenId, uses: this.uses, refusals, at };
  }

  #use(at: Instant, count: number): void {
    this.firstUsedAt ??= at;
    if (this.uses === 0 || at > this.#lastUsedAt) this.#lastUsedAt = at;
    this.uses += count;
  }

  #refuse(refusal: LastRefusal, count: number): void {
    if (this.#lastRefusal === null || refusal.at >= this.#lastRefusal.at) this.#lastRefusal = refusal;
    this.#count(refusal.reason, count);
  }

  #count(reason: UsageRefusal, count: number): void {
    this.#refusals ??= new Map();
    this.#refusals.set(reason, (this.#refusals.get(reason) ?? 0) + count);
  }
}
