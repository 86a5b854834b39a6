/** How much a cache holds at most. No entries: it is off. */
export interface Limit {
  readonly entries: number;
  /** Estimated. */
  readonly bytes: number;
}

/** How much the caches of one process hold at most. */
export interface CacheLimits {
  /** Tokens: the entries count twice, as a verified signature and as a grant; the bytes are for both. */
  readonly tokens: Limit;
  readonly organizations: Limit;
  /** Who is a member of which organization and who is not: small and all alike, so only counted. */
  readonly memberships: number;
}
