import type { Moment } from './clocks.ts';

/** The first line of a stream. */
export interface Hello {
  /** The nonce of the request that asked for this stream. */
  readonly nonce: string;
  /** The server's monotonic clock after it received the request, in milliseconds. */
  readonly now: number;
  /** The server tells again what it heard since its monotonic clock showed this. */
  readonly replayFrom: number;
  /** The age at which the server's own caches stop to decide, in milliseconds. */
  readonly maxStalenessMs: number;
  /** The kinds of record whose changes the server tells. */
  readonly kinds: readonly string[];
  /** The database server to which the server listens. */
  readonly database: string;
}

/** A line that says: every change committed before `heard` was told on this stream, before this line. */
export interface Proof {
  /** A reading of the server's monotonic clock, in milliseconds. */
  readonly heard: number;
  /** The server's wall clock at that reading, in milliseconds since 1970. */
  readonly time: number;
  /** How many lines the server wrote before this one. */
  readonly position: number;
  /** The database server that answered. */
  readonly database: string;
}

/** The records that changed, or `all` if the server does not know which. */
export type Handles = readonly string[] | 'all';

/** A stream of changes, as far as it arrived. */
export interface Stream {
  readonly nonce: string;
  readonly sentAt: Moment;
  hello: (Hello & { readonly arrivedAt: Moment }) | undefined;
  /** How many lines arrived. */
  lines: number;
  lastProof: Proof | undefined;
  isOver: boolean;
}

export const openingStream = (nonce: string, sentAt: Moment): Stream => ({
  nonce,
  sentAt,
  hello: undefined,
  lines: 0,
  lastProof: undefined,
  isOver: false,
});
