import type { TokenId } from '@gatehouse/domain/tokens';

/** How a process of nodes is started, as one argument of JSON. */
export interface NodesPlan {
  readonly url: string;
  readonly nodes: number;
}

/** What the nodes of a process are told. */
export type NodesOrder =
  /** Tell when all have heard of this token. */
  | { readonly await: TokenId }
  /** Record a use of each of these tokens once a second, each list at a node of its own, until told otherwise. */
  | { readonly use: readonly (readonly TokenId[])[] };

/** What the nodes of a process tell. */
export type NodesReport =
  | { readonly ready: true }
  /** They will tell of this token. */
  | { readonly awaiting: TokenId }
  /** The slowest of them has heard of the awaited token at this time, by `steadyTime`. */
  | { readonly heard: TokenId; readonly at: number }
  /** A feed is not known to be complete any more. */
  | { readonly lost: string };

/** What a process of writers is told: to revoke these for some seconds, so many at once. */
export interface WritersOrder {
  readonly tokens: readonly { readonly id: TokenId; readonly email: string }[];
  readonly atOnce: number;
  readonly seconds: number;
}

export interface WritersReport {
  readonly revoked: number;
  readonly seconds: number;
}
