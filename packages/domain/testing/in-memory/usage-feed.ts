import { UnavailableFault } from '../../src/index.ts';
import type { UsageReports } from '../../src/services/index.ts';
import type { Instant } from '../../src/time/index.ts';
import {
  createUsageInbox,
  subscriptionTo,
  type TokenId,
  type UsageCounts,
  type UsageFeed,
  type UsageInbox,
  type UsageRecorder,
  type UsageRecorderHealth,
} from '../../src/tokens/index.ts';

/** A feed of one recorder in memory, which tests can interrupt. */
export interface InMemoryUsageFeed extends UsageFeed {
  /** Interrupts the connection of all subscribers. */
  lose(): void;
}

/**
 * Wraps a recorder so that it tells usage to a feed, and its lag, when it stores. Wraps a store of reports so that it
 * tells them to the same feed.
 */
export function tellingUsage(
  recorder: UsageRecorder,
  reports: UsageReports,
): {
  readonly usage: UsageRecorder;
  readonly usageReports: UsageReports;
  readonly usageFeed: InMemoryUsageFeed;
  readonly usageRecorders: UsageRecorderHealth;
} {
  const inboxes = new Set<UsageInbox>();
  let waiting: UsageCounts[] = [];
  let storedAt: Instant | undefined;
  const count = (tokenId: TokenId, at: Instant, counted: Pick<UsageCounts, 'uses' | 'refusals'>) => {
    waiting.push({ tokenId, at, ...counted });
  };

  return {
    usage: {
      used(id, at, from, service) {
        recorder.used(id, at, from, service);
        count(id, at, { uses: 1, refusals: {} });
      },
      refused(id, at, reason, from) {
        recorder.refused(id, at, reason, from);
        count(id, at, { uses: 0, refusals: { [reason]: 1 } });
      },
      usedCredential: recorder.usedCredential,
      usedOutside: recorder.usedOutside,
      async flush() {
        await recorder.flush();
        storedAt = waiting.at(-1)?.at ?? storedAt;
        for (const inbox of inboxes) inbox.add(waiting);
        waiting = [];
      },
    },
    usageReports: {
      ...reports,
      async store(service, report) {
        await reports.store(service, report);
        const counts = [
          ...report.uses.map(({ token, lastAt, count: uses }) => ({
            tokenId: token,
            at: lastAt,
            uses,
            refusals: {},
          })),
          ...report.refusals.map(({ token, lastAt, count: refused, reason }) => ({
            tokenId: token,
            at: lastAt,
            uses: 0,
            refusals: { [reason]: refused },
          })),
        ];
        for (const inbox of inboxes) inbox.add(counts);
      },
    },
    usageFeed: {
      async listen() {
        const inbox = createUsageInbox();
        inboxes.add(inbox);
        const close = async () => {
          inboxes.delete(inbox);
          inbox.end();
        };
        return subscriptionTo(inbox, close);
      },
      lose() {
        for (const inbox of inboxes) inbox.end(new UnavailableFault('the usage feed is lost'));
        inboxes.clear();
      },
    },
    usageRecorders: {
      list: async () => (storedAt === undefined ? [] : [{ storedAt, lagMs: 0 }]),
    },
  };
}
