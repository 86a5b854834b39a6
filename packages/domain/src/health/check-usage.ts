import { later } from '../time/instant.ts';
import type { UsageRecorderHealth } from '../tokens/usage/usage-recorder-health.ts';
import { type CheckOutcome, outcomeOf } from './health-report.ts';
import type { StoreProbe } from './probes.ts';

/** Usage is stored within a second; twice that is no hiccup any more. */
const TOLERATED_LAG_MS = 2000;
/** What was slow earlier may have recovered: only a recorder that stores now says how it is now. */
const RECENT_MS = 60_000;

export interface UsagePorts {
  readonly usageRecorders: UsageRecorderHealth;
  readonly storeProbe: Pick<StoreProbe, 'now'>;
}

/** Whether last uses are stored in time, by those that store any. */
export async function checkUsage({ usageRecorders, storeProbe }: UsagePorts): Promise<CheckOutcome> {
  const lags = await usageRecorders.list();
  if (lags.length === 0) return { status: 'passed', remark: 'no_usage' };
  const recently = later(await storeProbe.now(), -RECENT_MS);
  return outcomeOf(
    lags
      .filter(({ storedAt, lagMs }) => storedAt >= recently && lagMs > TOLERATED_LAG_MS)
      .map((lag) => ({ code: 'usage_behind', ...lag })),
  );
}
