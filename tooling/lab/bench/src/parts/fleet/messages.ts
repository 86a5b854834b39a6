import type { TokenId } from '@gatehouse/domain/tokens';

/** How a process of nodes is started, as one argument of JSON. */
export interface NodesPlan {
  readonly url: string;
  readonly nodes: number;
}

/** A message to a process of nodes. */
export type NodesOrder =
  /** Report when all nodes have heard of this token. */
  | { readonly await: TokenId }
  /** Record a use of each of these tokens once a second, each list at its own node, until the next such message. */
  | { readonly use: readonly (readonly TokenId[])[] };

/** A message from a process of nodes. */
export type NodesReport =
  | { readonly ready: true }
  /** The nodes now wait for a change of this token. */
  | { readonly awaiting: TokenId }
  /** The time at which the slowest node heard of the awaited token, by `steadyTime`. */
  | { readonly heard: TokenId; readonly at: number }
  /** A node's feed is no longer known to be complete. */
  | { readonly lost: string };

/** A message to a process of writers: revoke these tokens for `seconds`, `atOnce` at a time. */
export interface WritersOrder {
  readonly tokens: readonly { readonly id: TokenId; readonly email: string }[];
  readonly atOnce: number;
  readonly seconds: number;
}

export interface WritersReport {
  readonly revoked: number;
  readonly seconds: number;
}
