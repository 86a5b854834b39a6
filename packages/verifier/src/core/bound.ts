import type { Moment } from './clocks.ts';

/** Ties the server's monotonic clock to the one of this process: the server read `now` after `sentAt`. */
export interface Anchor {
  /** When this process sent the request for the stream. */
  readonly sentAt: Moment;
  /** The server's monotonic clock after it had received that request, in milliseconds. */
  readonly now: number;
}

/**
 * The largest difference between the rates of two monotonic clocks, as a share: 1 %. Operators keep it
 * (docs/operate/verifiers.md).
 */
export const RATE = 0.01;

/** How long an anchor may be used, in milliseconds. The longer it is used, the more a difference of rates adds up. */
export const ANCHOR_LIFE_MS = 10_000;

/**
 * The earliest time, on the monotonic clock of this process, at which the server's clock can have shown `heard`. The changes that the
 * server knew then are known up to this time. Delays on the way make the result earlier, and never later. Returns undefined if
 * the anchor is too old.
 */
export function boundOf({ sentAt, now }: Anchor, heard: number, at: Moment): number | undefined {
  const age = at.monotonic - sentAt.monotonic;
  if (age > ANCHOR_LIFE_MS) return undefined;
  const between = heard - now;
  return sentAt.monotonic + between - RATE * Math.max(age, Math.abs(between));
}

/**
 * The latest time, on the monotonic clock of this process, at which the server's clock can have shown `reading`.
 * @param now a later reading of the server's clock, which arrived here at `arrivedAt`
 */
export function latestOf(now: number, reading: number, arrivedAt: Moment): number {
  return arrivedAt.monotonic - (now - reading) * (1 - RATE);
}
