import type { ReportedRefusal, ReportedUse, UsageReports } from '../../src/services/index.ts';
import { lastUseWithReport, type TokenUsageWithAddresses } from '../../src/tokens/index.ts';
import type { State } from './state.ts';
import { usedAtAfter } from './usage-recorder.ts';

/** Creates a store of reports, which stores immediately. */
export function createInMemoryUsageReports(state: State): UsageReports {
  const change = <Entry extends ReportedUse | ReportedRefusal>(
    entries: readonly Entry[],
    changed: (usage: TokenUsageWithAddresses, entry: Entry) => TokenUsageWithAddresses,
  ) => {
    for (const entry of entries)
      if (state.tokens.has(entry.token))
        state.usage.set(entry.token, changed(state.usageOf(entry.token), entry));
  };
  return {
    async findFirstUses(service, tokens) {
      return new Map(
        tokens.flatMap((token) => {
          const first = state.firstUses.get(`${token} ${service}`);
          return first === undefined ? [] : [[token, first]];
        }),
      );
    },
    async store(service, { uses, refusals }) {
      change(refusals, (usage, { lastAt: at, reason }) => ({
        ...usage,
        lastRefusal:
          (usage.lastRefusal?.at ?? at) > at
            ? usage.lastRefusal
            : { at, reason, from: null, reportedBy: service },
      }));
      change(uses, (usage, { lastAt, countsAt = lastAt, from = null }) => ({
        ...usage,
        lastUsedAt: lastUseWithReport(usage, countsAt),
        usedAt: usedAtAfter(usage.usedAt, { service, lastAt, from, isReported: true }),
      }));
      for (const { token, lastAt } of uses) state.usedAtServiceSince(token, service, lastAt);
    },
  };
}
