import type { Gatehouse } from '../gatehouse.ts';
import { createCounts } from './counts.ts';
import { OUTCOMES, type Outcome } from './outcome.ts';
import { type Entry, type Sent, sendReport } from './send-report.ts';

/** Counts requests that were decided without a question to Gatehouse, and reports them. */
export interface UseReports {
  /** Counts one request at a monotonic time, in milliseconds. It takes no time for the network and never throws. */
  count(token: string, outcome: Outcome, clientAddress: string | undefined, at: number): void;
  /** Reports all that was counted. Later requests are not counted. Never rejects, and takes some seconds at most. */
  close(): Promise<void>;
}

export interface UseReportsOptions {
  readonly gatehouse: Gatehouse;
  /** Monotonic, in milliseconds. */
  readonly now: () => number;
  /** The time of day of Gatehouse at a monotonic time, both in milliseconds. */
  readonly timeOf: (monotonic: number) => number;
  /** Calls back after a time in milliseconds. Returns a function that cancels the call. */
  readonly after: (ms: number, callback: () => void) => () => void;
}

/** First uses that come within this time go together. */
const AT_ONCE_MS = 50;
const REPORT_MS = 1000;
/** If one report does not hold all counts, the next follows after this time. It bounds the load of the server. */
const NEXT_PART_MS = 200;
/** The server refuses a report of more than 1,000 entries. */
const MAX_ENTRIES_OF: Readonly<Record<Outcome, number>> = {
  use: 700,
  insufficient_scope: 100,
  expired: 100,
  network_not_allowed: 100,
};
/** If more tokens wait than this, one report may not hold them all. */
const FULL_REPORT = 700;
/** The memory for counts, also while Gatehouse cannot be reached. */
const MAX_TOKENS = 20_000;
const LONGEST_PAUSE_MS = 30_000;
/** An older server is asked again after this time, because it may have been upgraded. */
const UNKNOWN_PAUSE_MS = 5 * 60_000;
/** One more report may begin just before, and takes 5 seconds at most. */
const LONGEST_CLOSE_MS = 5000;
/** The longest text of an IP address is shorter. */
const MAX_ADDRESS_LENGTH = 64;

export function createUseReports({ gatehouse, now, timeOf, after }: UseReportsOptions): UseReports {
  const counts = {
    use: createCounts(MAX_TOKENS),
    insufficient_scope: createCounts(MAX_TOKENS),
    expired: createCounts(MAX_TOKENS),
    network_not_allowed: createCounts(MAX_TOKENS),
  };
  /** Tokens that were reported before. The first use of any other one is reported at once. */
  const reported = new Set<string>();
  let hasFirstUse = false;
  let failures = 0;
  let dueAt = Number.POSITIVE_INFINITY;
  let cancel: (() => void) | undefined;
  /** The server asked for a pause, or fails. */
  let pausedUntil = Number.NEGATIVE_INFINITY;
  /** The server is an older one. */
  let silentUntil = Number.NEGATIVE_INFINITY;
  let sending: Promise<boolean> | undefined;
  let isClosed = false;

  const pending = () => OUTCOMES.reduce((sum, outcome) => sum + counts[outcome].size, 0);

  /**
   * Sends at this time or at an earlier one for which a report is due already. While one is sent, `next` decides
   * later.
   */
  function sendWithin(ms: number): void {
    const at = Math.max(now() + ms, pausedUntil);
    if (sending || isClosed || at >= dueAt) return;
    cancel?.();
    dueAt = at;
    cancel = after(at - now(), () => {
      dueAt = Number.POSITIVE_INFINITY;
      cancel = undefined;
      void send().then(next);
    });
  }

  function next(): void {
    if (pending() === 0) return;
    if (hasFirstUse) sendWithin(AT_ONCE_MS);
    else sendWithin(pending() >= FULL_REPORT ? NEXT_PART_MS : REPORT_MS);
  }

  /** Sends one report. Resolves with whether the server took it or will never take it. */
  function send(): Promise<boolean> {
    hasFirstUse = false;
    // Each outcome has room in every report, whatever the others take.
    const report = OUTCOMES.flatMap((outcome) =>
      counts[outcome].take(MAX_ENTRIES_OF[outcome]).map((count): Entry => ({ ...count, outcome })),
    );
    sending = sendReport(gatehouse, report, timeOf).then((sent) => {
      sending = undefined;
      return settle(sent, report);
    });
    return sending;
  }

  function settle(sent: Sent, report: readonly Entry[]): boolean {
    if (typeof sent === 'object') {
      for (const entry of report) counts[entry.outcome].add(entry);
      failures += 1;
      pausedUntil = now() + (sent.retryAfterMs ?? pauseOf(failures));
      return false;
    }
    failures = 0;
    if (sent === 'unknown') {
      silentUntil = now() + UNKNOWN_PAUSE_MS;
      for (const outcome of OUTCOMES) counts[outcome].clear();
    }
    if (reported.size >= MAX_TOKENS) reported.clear();
    for (const { token } of report) reported.add(token);
    return true;
  }

  return {
    count(token, outcome, clientAddress, lastAt) {
      if (isClosed || lastAt < silentUntil) return;
      const isShort = typeof clientAddress === 'string' && clientAddress.length <= MAX_ADDRESS_LENGTH;
      const address = isShort ? clientAddress : undefined;
      const isNew = counts[outcome].add({ token, address, count: 1, lastAt });
      if (!isNew) return;
      const isFirst = !reported.has(token);
      hasFirstUse ||= isFirst;
      sendWithin(isFirst ? AT_ONCE_MS : REPORT_MS);
    },
    async close() {
      isClosed = true;
      cancel?.();
      const end = now() + LONGEST_CLOSE_MS;
      await sending;
      while (pending() > 0 && now() < end && (await send()));
    },
  };
}

/** Doubles with each failure. The jitter keeps a thousand verifiers from returning at once. */
function pauseOf(failures: number): number {
  return (0.5 + Math.random() / 2) * Math.min(LONGEST_PAUSE_MS, 1000 * 2 ** Math.min(failures, 6));
}
