import { boundOf, latestOf, RATE } from './bound.ts';
import { clocksDisagree, type Moment } from './clocks.ts';
import type { Provenance, Question } from './question.ts';
import type { Stream } from './stream.ts';

/**
 * How long before the last bound a new stream has to begin to tell, in milliseconds. PostgreSQL shows a change to readers before
 * it signals listeners, each at its own time: 5 s for that, and 1 s for the difference of clocks.
 */
const OVERLAP_MS = 6000;

/** The largest difference, in milliseconds, between the time from one proof to another on the servers' wall clocks and on our own. */
const SKEW_MS = 1000;

/**
 * The judgements on which the bound rests (docs/adr/0080-a-stream-that-proves-it-is-complete.md). Each is a question about what
 * arrived. Tests replace one at a time by a wrong one, and the model has to find it.
 */
export const RULES = {
  boundOf,
  clocksDisagree,

  /** Another request asked for this stream. */
  isForeign: (stream: Stream, nonce: string) => stream.nonce !== nonce,

  /** More or fewer lines arrived than the server wrote before this proof. */
  hasGap: (stream: Stream, position: number) => stream.lines !== position,

  /** The proof holds up to a time after its arrival. So the monotonic clock of this process stood still meanwhile. */
  isImpossible: (bound: number, at: Moment) => bound > at.monotonic,

  /** A database server without a name can be any. */
  isOtherDatabase: (one: string | undefined, other: string | undefined) => !one || one !== other,

  /** This machine was paused, and both of its clocks stood still. The servers' clocks went on. */
  wasPaused: (serversMs: number, ownMs: number) => Math.abs(serversMs - ownMs) > SKEW_MS,

  /** The new stream tells again all that the old one may not have told. */
  overlaps: ({ hello }: Stream, oldBound: number) =>
    hello !== undefined && latestOf(hello.now, hello.replayFrom, hello.arrivedAt) <= oldBound - OVERLAP_MS,

  tellsKinds: ({ hello }: Stream, kinds: readonly string[]) =>
    kinds.every((kind) => hello?.kinds.includes(kind)),

  /** A record of the answer changed after the question was asked. The answer may have been read before. */
  isTouched: ({ hasAllChanged, changed }: Question, { dependencies }: Provenance) =>
    hasAllChanged || dependencies.some(({ handle }) => changed.has(handle)),

  /** The answer took so long that it may be too old itself. */
  isLate: (waitedMs: number, longestMs: number) => waitedMs * (1 + RATE) > longestMs,
};

export type Rules = typeof RULES;
