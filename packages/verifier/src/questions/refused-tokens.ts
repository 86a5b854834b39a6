/** Tokens that Gatehouse called inactive within the last second: one that is sent again and again causes one question a second. */
export interface RefusedTokens {
  has(key: string): boolean;
  add(key: string): void;
}

const REMEMBERED_MS = 1000;

/** @param now monotonic, in milliseconds */
export function createRefusedTokens(limit: number, now: () => number): RefusedTokens {
  const refusedAt = new Map<string, number>();
  return {
    has(key) {
      const at = refusedAt.get(key);
      if (at === undefined) return false;
      if (now() - at < REMEMBERED_MS) return true;
      refusedAt.delete(key);
      return false;
    },
    add(key) {
      refusedAt.delete(key);
      if (refusedAt.size >= limit) refusedAt.delete(refusedAt.keys().next().value as string);
      refusedAt.set(key, now());
    },
  };
}
