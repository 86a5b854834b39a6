import type { KnownReads } from './known-reads-thread.ts';

/** A failover. Times are milliseconds since 1970. */
export interface Outage {
  /** When the last process of the old primary had ended. */
  readonly killedAt: number;
  /** When the standby's promotion was requested. */
  readonly promotingAt: number;
  /** When the new primary accepted writes. */
  readonly promotedAt: number;
  /** How long after that everything worked again, in milliseconds. */
  readonly backAfterMs: number;
}

/** The outcomes of the reads of known facts. */
export interface ReadsDuring {
  readonly perSecond: number;
  /** Reads with another status than 200 and 503. */
  readonly wrong: number;
  /** Reads without a response. */
  readonly silent: number;
  /** Reads without a 200 although there was a primary and servers had found it. */
  readonly failedOutside: number;
  /** From the end of the old primary to the last response from memory, in the worst and the best failover. */
  readonly wentOnAtLeastMs: number;
  readonly wentOnAtMostMs: number;
  /** The same for each failover. */
  readonly wentOnMs: readonly number[];
}

/**
 * How long a server waits for the database before it answers 503, in milliseconds: a response after that time is from the
 * new one.
 */
const READ_WAIT_MS = 300;

/** Responses that were on their way when the primary was killed. */
const MARGIN_MS = 100;

export function readsDuring({ sentAt, statuses }: KnownReads, outages: readonly Outage[]): ReadsDuring {
  const wentOn = outages.map(() => 0);
  let [wrong, silent, failedOutside] = [0, 0, 0];
  sentAt.forEach((at, index) => {
    const status = statuses[index] as number;
    if (status === 0) silent += 1;
    else if (status !== 200 && status !== 503) wrong += 1;
    const outage = outages.findIndex(
      ({ killedAt, promotedAt, backAfterMs }) =>
        at >= killedAt - MARGIN_MS && at <= promotedAt + backAfterMs + MARGIN_MS,
    );
    if (outage === -1) {
      if (status !== 200) failedOutside += 1;
      return;
    }
    const { killedAt, promotingAt } = outages[outage] as Outage;
    if (status === 200 && at < promotingAt - READ_WAIT_MS)
      wentOn[outage] = Math.max(wentOn[outage] as number, at - killedAt);
  });
  const took = ((sentAt.at(-1) ?? 0) - (sentAt[0] ?? 0)) / 1000;
  return {
    perSecond: sentAt.length / took,
    wrong,
    silent,
    failedOutside,
    wentOnAtLeastMs: Math.min(...wentOn),
    wentOnAtMostMs: Math.max(...wentOn),
    wentOnMs: wentOn,
  };
}
