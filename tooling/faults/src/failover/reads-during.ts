import type { KnownReads } from './known-reads-thread.ts';

/** A failover. Times are milliseconds since 1970. */
export interface Outage {
  readonly killedAt: number;
  /** When the new primary accepted writes. */
  readonly promotedAt: number;
  /** How long after that everything worked again, in milliseconds. */
  readonly backAfterMs: number;
}

/** What became of the reads of known facts. */
export interface ReadsDuring {
  readonly perSecond: number;
  /** Those answered by anything but 200 and 503. */
  readonly wrong: number;
  /** Those not answered by 200 although there was a primary, and servers had found it. */
  readonly failedOutside: number;
  /** From the end of the old primary to the last response from memory, in the worst and the best failover. */
  readonly wentOnAtLeastMs: number;
  readonly wentOnAtMostMs: number;
}

/** Responses that were on their way when the primary was killed. */
const MARGIN_MS = 100;

export function readsDuring({ sentAt, statuses }: KnownReads, outages: readonly Outage[]): ReadsDuring {
  const wentOn = outages.map(() => 0);
  let [wrong, failedOutside] = [0, 0];
  sentAt.forEach((at, index) => {
    const status = statuses[index] as number;
    if (status !== 200 && status !== 503) wrong += 1;
    const outage = outages.findIndex(
      ({ killedAt, promotedAt, backAfterMs }) =>
        at >= killedAt - MARGIN_MS && at <= promotedAt + backAfterMs + MARGIN_MS,
    );
    if (outage === -1) {
      if (status !== 200) failedOutside += 1;
      return;
    }
    const { killedAt, promotedAt } = outages[outage] as Outage;
    if (status === 200 && at < promotedAt) wentOn[outage] = Math.max(wentOn[outage] as number, at - killedAt);
  });
  const took = ((sentAt.at(-1) ?? 0) - (sentAt[0] ?? 0)) / 1000;
  return {
    perSecond: sentAt.length / took,
    wrong,
    failedOutside,
    wentOnAtLeastMs: Math.min(...wentOn),
    wentOnAtMostMs: Math.max(...wentOn),
  };
}
