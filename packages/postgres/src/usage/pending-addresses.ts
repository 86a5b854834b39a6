import type { Instant } from '@gatehouse/domain/time';
import { addressOfUse, KEPT_ADDRESSES } from '@gatehouse/domain/tokens';
import type { StoredAddress } from '../database/schema.ts';

/** How many more addresses a usage recorder may keep in memory, for all tokens together. */
export interface AddressRoom {
  left: number;
}

/** The count of one address. The object is mutable, so that the next request from the address allocates no memory. */
interface Counted<Reason> {
  /**
   * The text of the address in the last request. If the next request has the same text, the text is not normalized
   * again.
   */
  given: string;
  address: string;
  first: Instant;
  last: Instant;
  times: number;
  reason: Reason;
}

/** The last addresses of one token's uses, or of its refusals, that are not stored yet. */
export class PendingAddresses<Reason = undefined> {
  #counted: Counted<Reason>[] = [];

  add(given: string, at: Instant, reason: Reason, room: AddressRoom): void {
    for (const each of this.#counted) {
      if (each.given !== given) continue;
      count(each, at, at, 1, reason);
      return;
    }
    const address = addressOfUse(given);
    if (address !== undefined)
      this.#addNormalized({ given, address, first: at, last: at, times: 1, reason }, room);
  }

  /** Adds the addresses of an earlier batch that could not be stored. */
  addEarlier(earlier: PendingAddresses<Reason>, room: AddressRoom): void {
    for (const each of earlier.#counted) this.#addNormalized(each, room);
  }

  /** Returns the addresses, the newest before older ones. */
  toStored(): readonly (StoredAddress & { readonly reason: Reason })[] {
    return this.#counted.toSorted((a, b) => b.last - a.last).map(({ given: _, ...stored }) => stored);
  }

  /**
   * Adds a normalized address. If there are more addresses than may be kept, drops the address that was seen least
   * recently.
   */
  #addNormalized(added: Counted<Reason>, room: AddressRoom): void {
    for (const each of this.#counted) {
      if (each.address !== added.address) continue;
      each.given = added.given;
      count(each, added.first, added.last, added.times, added.reason);
      return;
    }
    if (this.#counted.length < KEPT_ADDRESSES && room.left > 0) {
      room.left -= 1;
      // `push` is not used: V8 would reserve memory for 17 addresses, and nearly every token is used from one address.
      this.#counted = [...this.#counted, { ...added }];
      return;
    }
    const [first, ...others] = this.#counted;
    if (first === undefined) return;
    const oldest = others.reduce((least, each) => (each.last < least.last ? each : least), first);
    if (oldest.last <= added.last) Object.assign(oldest, added);
  }
}

function count<Reason>(
  into: Counted<Reason>,
  first: Instant,
  last: Instant,
  times: number,
  reason: Reason,
): void {
  into.times += times;
  if (first < into.first) into.first = first;
  if (last < into.last) return;
  into.last = last;
  into.reason = reason;
}
