import type { Moment } from './clocks.ts';

/** A record on which an answer depends. */
export interface Dependency {
  /** Such as `token` or `user`. */
  readonly kind: string;
  /** The name of the record in the stream of changes. */
  readonly handle: string;
}

/** Says where an answer of the introspection endpoint comes from. */
export interface Provenance {
  /** The database server from which the answer was read. */
  readonly database: string;
  /** Every record whose change can change the answer. */
  readonly dependencies: readonly Dependency[];
}

/** An introspection that is under way, and the changes that were told since its request was sent. */
export interface Question {
  readonly askedAt: Moment;
  readonly changed: Set<string>;
  /** Anything may have changed since. */
  hasAllChanged: boolean;
}

export const askingAt = (askedAt: Moment): Question => ({
  askedAt,
  changed: new Set(),
  hasAllChanged: false,
});
