import { authorized, REPORT_TOKEN_USES, type ServiceCaller } from '../access/index.ts';
import type { Ports } from '../ports.ts';
import { ok } from '../result.ts';
import { addMilliseconds, type Instant } from '../time/instant.ts';
import type { ServiceName } from './service.ts';
import type { ReportedRefusal, ReportedUse, UsageReport } from './usage-reports.ts';

/** A report has at most this many entries. */
export const REPORT_MAX_ENTRIES = 1_000;

/** How far the clocks of a service and of Gatehouse may differ, in milliseconds. */
const CLOCK_TOLERANCE_MS = 5_000;

/**
 * The time until another server has stored a use that it recorded, in milliseconds: the second after which a
 * `UsageRecorder` stores all usage at the latest, and some time for the statement.
 */
const RECORDED_WITHIN_MS = 1_500;

/** The numbers of reports that may wait for uses at the same time, of all services and of one. */
const MAX_WAITING = 100;
const MAX_WAITING_OF_ONE = 10;

interface ReportTokenUsesPorts extends Ports<'usageReports' | 'onBehalf' | 'clock'> {
  readonly pause: (milliseconds: number) => Promise<void>;
}

/**
 * Stores the uses and refusals of tokens that a service reports, because it decided on them from what it remembered of
 * an introspection. Only tokens that were used at this service before count. An entry about any other token is ignored,
 * and so is an entry whose time is more than 5 seconds in the future or before the first use of the token at the service.
 * A smaller difference comes from the clock of the service: the entry then counts as now, or as at the first use. The
 * result is always the same, so that a service learns nothing about tokens.
 *
 * The first use of a token may not be stored yet, because a server stores uses within a second. Therefore new entries
 * about tokens without a use at the service are tried again once after a pause.
 */
export const reportTokenUses = authorized(
  REPORT_TOKEN_USES,
  ({ usageReports, onBehalf, clock, pause }: ReportTokenUsesPorts) => {
    const waiting = createWaiting();

    /** Stores the entries about tokens that were used at the service, and returns the other entries. */
    async function storeKnown(service: ServiceName, report: UsageReport): Promise<UsageReport> {
      const tokens = new Set([...report.uses, ...report.refusals].map(({ token }) => token));
      if (tokens.size === 0) return report;
      const firstUses = await usageReports.findFirstUses(service, [...tokens]);
      const known = eachEntry(report, (entry) => {
        const first = firstUses.get(entry.token);
        return first !== undefined && entry.lastAt >= addMilliseconds(first, -CLOCK_TOLERANCE_MS)
          ? { ...entry, lastAt: Math.max(entry.lastAt, first) as Instant }
          : undefined;
      });
      if (!isEmpty(known)) await usageReports.store(service, known);
      return eachEntry(report, (entry) => (firstUses.has(entry.token) ? undefined : entry));
    }

    return async ({ service }: ServiceCaller, report: UsageReport) => {
      const now = clock.now();
      const latest = addMilliseconds(now, CLOCK_TOLERANCE_MS);
      const settled = addMilliseconds(now, -RECORDED_WITHIN_MS);
      const { uses, refusals } = eachEntry(report, (entry) =>
        entry.lastAt > latest ? undefined : { ...entry, lastAt: Math.min(entry.lastAt, now) as Instant },
      );
      // A refusal that Gatehouse has just recorded is not stored yet. A reported use must not count as later than it.
      const told = {
        uses: uses.map((use) => ({ ...use, countsAt: Math.min(use.lastAt, settled) as Instant })),
        refusals,
      };
      const unknown = await onBehalf.ofService(service, () => storeKnown(service, told));
      const oldest = addMilliseconds(now, -CLOCK_TOLERANCE_MS);
      const recent = eachEntry(unknown, (entry) => (entry.lastAt < oldest ? undefined : entry));
      if (isEmpty(recent) || !waiting.begin(service)) return ok(undefined);
      try {
        await pause(RECORDED_WITHIN_MS);
        await onBehalf.ofService(service, () => storeKnown(service, recent));
      } finally {
        waiting.end(service);
      }
      return ok(undefined);
    };
  },
);

/** Counts the reports that wait. The places of one service are limited, so that it cannot take those of others. */
function createWaiting() {
  const ofService = new Map<ServiceName, number>();
  let all = 0;
  const change = (service: ServiceName, by: 1 | -1) => {
    all += by;
    const own = (ofService.get(service) ?? 0) + by;
    if (own === 0) ofService.delete(service);
    else ofService.set(service, own);
  };
  return {
    /** Returns whether there is a place. */
    begin(service: ServiceName): boolean {
      if (all >= MAX_WAITING || (ofService.get(service) ?? 0) >= MAX_WAITING_OF_ONE) return false;
      change(service, 1);
      return true;
    },
    end: (service: ServiceName) => change(service, -1),
  };
}

type Change = <Entry extends ReportedUse | ReportedRefusal>(entry: Entry) => Entry | undefined;

/** Changes all entries of a report, and leaves out those for which `change` returns undefined. */
function eachEntry({ uses, refusals }: UsageReport, change: Change): UsageReport {
  const changed = <Entry extends ReportedUse | ReportedRefusal>(entries: readonly Entry[]) =>
    entries.map((entry) => change(entry)).filter((entry) => entry !== undefined);
  return { uses: changed(uses), refusals: changed(refusals) };
}

const isEmpty = ({ uses, refusals }: UsageReport) => uses.length + refusals.length === 0;
