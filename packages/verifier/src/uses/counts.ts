/** Requests with one token from one address. */
export interface Count {
  /** The id of the token. */
  readonly token: string;
  readonly address: string | undefined;
  count: number;
  /** The monotonic time of the last of these requests, in milliseconds. */
  lastAt: number;
}

/** Counts requests by token and address until they are taken out. */
export interface Counts {
  /** Returns whether nothing was counted for this token since it was taken out. */
  add(one: Readonly<Count>): boolean;
  /** Takes out at most so many counts, and those first that came in first. */
  take(limit: number): Count[];
  clear(): void;
  /** The number of tokens. */
  readonly size: number;
}

/** Requests with one token from more addresses count as requests from the latest ones. It bounds the memory for a token. */
const MAX_ADDRESSES = 8;

/** The server refuses a larger count. */
const MAX_COUNT = 1_000_000;

/** @param maxTokens if there are more, the token is forgotten that came in first */
export function createCounts(maxTokens: number): Counts {
  const byToken = new Map<string, Count[]>();

  return {
    add({ token, address, count, lastAt }) {
      const counts = byToken.get(token);
      if (!counts) {
        if (byToken.size >= maxTokens) byToken.delete(byToken.keys().next().value as string);
        byToken.set(token, [{ token, address, count, lastAt }]);
        return true;
      }
      for (const known of counts) {
        if (known.address === address) {
          known.count += count;
          known.lastAt = Math.max(known.lastAt, lastAt);
          return false;
        }
      }
      const oldest = counts.length >= MAX_ADDRESSES ? counts.shift() : undefined;
      counts.push({ token, address, count: count + (oldest?.count ?? 0), lastAt });
      return false;
    },
    take(limit) {
      const taken: Count[] = [];
      for (const [token, counts] of byToken) {
        for (const one of counts) {
          while (one.count > 0 && taken.length < limit) {
            const count = Math.min(one.count, MAX_COUNT);
            one.count -= count;
            taken.push({ ...one, count });
          }
        }
        const left = counts.filter(({ count }) => count > 0);
        if (left.length > 0) {
          byToken.set(token, left);
          break;
        }
        byToken.delete(token);
      }
      return taken;
    },
    clear: () => byToken.clear(),
    get size() {
      return byToken.size;
    },
  };
}
