import { authorized } from '../access/authorized.ts';
import { READ_HEALTH } from '../access/rules.ts';
import type { Ports } from '../ports.ts';
import { ok } from '../result.ts';
import { UnavailableFault } from '../unavailable-fault.ts';
import { outcomeOf, type SkipReason } from './check.ts';
import { CHECKS, type CheckOutcome, type HealthCheck, type HealthReport } from './health-report.ts';

export type CheckHealthPorts = Ports<
  'clock' | 'tokens' | 'signingKeys' | 'findMasterKey' | 'storeProbe' | 'changeFeedProbe' | 'usageRecorders'
>;

/** Looks for problems that need the operator's attention. It changes nothing, and reports faults as findings. */
export const checkHealth = authorized(READ_HEALTH, (ports: CheckHealthPorts) => async () => {
  const report: ({ check: HealthCheck } & CheckOutcome)[] = [];
  let obstacle: SkipReason | undefined;
  for (const { id: check, needsSchema, run } of CHECKS) {
    const hindered = obstacle === 'database_unreachable' || (obstacle !== undefined && needsSchema);
    const outcome: CheckOutcome = hindered
      ? { status: 'skipped', because: obstacle as SkipReason }
      : await attempt(check, () => run(ports));
    report.push({ check, ...outcome });
    obstacle = obstacleIn(check, outcome) ?? obstacle;
  }
  return ok<HealthReport>(report);
});

async function attempt(check: HealthCheck, run: () => Promise<CheckOutcome>): Promise<CheckOutcome> {
  try {
    return await run();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (error instanceof UnavailableFault) return outcomeOf([{ code: 'database_unreachable', reason }]);
    return outcomeOf([{ code: 'check_failed', check, reason }]);
  }
}

/** Why the checks after this one have to be skipped, if they have to. */
function obstacleIn(check: HealthCheck, outcome: CheckOutcome): SkipReason | undefined {
  if (outcome.status !== 'failed') return undefined;
  if (outcome.findings.some(({ code }) => code === 'database_unreachable')) return 'database_unreachable';
  return check === 'schema' ? 'schema_not_current' : undefined;
}
