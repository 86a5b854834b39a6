import type { Ports } from '../ports.ts';
import { addMilliseconds, formatInstant } from '../time/instant.ts';
import { defineCheck, outcomeOf, seconds } from './check.ts';

/** Usage is normally stored within one second; twice that is a finding. */
const TOLERATED_LAG_MS = 2000;
/** Older reports are ignored, because a recorder that was slow may have recovered since. */
const RECENT_MS = 60_000;

/** Checks that every recorder with recent usage stores it in time. */
export const usageCheck = defineCheck({
  id: 'usage',
  passed: 'Uses of tokens are stored in time.',
  name: 'the recording of uses',
  async run({ usageRecorders, storeProbe }: Ports<'usageRecorders' | 'storeProbe'>) {
    const lags = await usageRecorders.list();
    if (lags.length === 0) return { status: 'passed', remark: 'no_usage' } as const;
    const recently = addMilliseconds(await storeProbe.now(), -RECENT_MS);
    const late = lags.filter(({ storedAt, lagMs }) => storedAt >= recently && lagMs > TOLERATED_LAG_MS);
    return outcomeOf(late.map((lag) => ({ code: 'usage_behind' as const, ...lag })));
  },
  findings: {
    usage_behind: ({ storedAt, lagMs }) => ({
      message: `A server stored uses of tokens ${seconds(lagMs)} late, at ${formatInstant(storedAt)}.`,
      remedy: "Look at the servers' logs and at the database's load: until then, last uses are shown late.",
    }),
  },
});
