import { type AccessDenied, authorize } from '../access/authorize.ts';
import type { Caller } from '../access/caller.ts';
import { ok, type Result } from '../result.ts';
import { UnavailableFault } from '../unavailable-fault.ts';
import { type ClockPorts, checkClock } from './check-clock.ts';
import { checkKeys, checkMasterKeyAtHand, type KeyPorts, type MasterKeyPorts } from './check-keys.ts';
import {
  checkInactiveCreators,
  checkNeverExpiringTokens,
  checkUnusedTokens,
  type TokenPorts,
} from './check-tokens.ts';
import { checkUsage, type UsagePorts } from './check-usage.ts';
import {
  type CheckOutcome,
  HEALTH_CHECKS,
  type HealthCheck,
  type HealthReport,
  outcomeOf,
  type SkipReason,
} from './health-report.ts';
import type { ChangeFeedProbe, StoreProbe } from './probes.ts';

export interface CheckHealthPorts extends ClockPorts, KeyPorts, MasterKeyPorts, TokenPorts, UsagePorts {
  readonly storeProbe: StoreProbe;
  readonly changeFeedProbe: ChangeFeedProbe;
  readonly signingKeys: KeyPorts['signingKeys'];
}

export type CheckHealth = (caller: Caller) => Promise<Result<HealthReport, AccessDenied>>;

/** Looks for what an operator should do something about. It changes nothing, and faults are findings. */
export function checkHealth(ports: CheckHealthPorts): CheckHealth {
  return async (caller) => {
    const allowed = authorize(caller, 'health:read');
    if (!allowed.ok) return allowed;
    const report: ({ check: HealthCheck } & CheckOutcome)[] = [];
    let obstacle: SkipReason | undefined;
    for (const check of HEALTH_CHECKS) {
      const { needsSchema, run } = CHECKS[check];
      const hindered = obstacle === 'database_unreachable' || (obstacle !== undefined && needsSchema);
      const outcome: CheckOutcome = hindered
        ? { status: 'skipped', because: obstacle as SkipReason }
        : await attempt(check, () => run(ports));
      report.push({ check, ...outcome });
      obstacle = obstacleIn(check, outcome) ?? obstacle;
    }
    return ok(report);
  };
}

interface Check {
  /** Looks into tables, which only a current schema has. */
  readonly needsSchema: boolean;
  readonly run: (ports: CheckHealthPorts) => Promise<CheckOutcome>;
}

const CHECKS: Readonly<Record<HealthCheck, Check>> = {
  database: { needsSchema: false, run: checkDatabase },
  schema: { needsSchema: false, run: checkSchema },
  clock: { needsSchema: false, run: checkClock },
  change_feed: { needsSchema: false, run: checkChangeFeed },
  database_access: { needsSchema: false, run: checkDatabaseAccess },
  signing_keys: { needsSchema: true, run: checkKeys },
  master_key: { needsSchema: true, run: checkMasterKeyAtHand },
  unused_tokens: { needsSchema: true, run: checkUnusedTokens },
  never_expiring_tokens: { needsSchema: true, run: checkNeverExpiringTokens },
  inactive_creators: { needsSchema: true, run: checkInactiveCreators },
  usage: { needsSchema: true, run: checkUsage },
};

async function checkDatabase({ storeProbe }: CheckHealthPorts): Promise<CheckOutcome> {
  await storeProbe.now();
  return { status: 'passed' };
}

async function checkSchema({ storeProbe }: CheckHealthPorts): Promise<CheckOutcome> {
  const state = await storeProbe.schemaState();
  return outcomeOf(state === 'current' ? [] : [{ code: `schema_${state}` }]);
}

async function checkChangeFeed({ changeFeedProbe }: CheckHealthPorts): Promise<CheckOutcome> {
  const verdict = await changeFeedProbe.try();
  return outcomeOf(verdict.trusted ? [] : [{ code: 'change_feed_untrusted', reason: verdict.reason }]);
}

async function checkDatabaseAccess({ storeProbe }: CheckHealthPorts): Promise<CheckOutcome> {
  const access = await storeProbe.publicAccess();
  return outcomeOf(access === undefined ? [] : [{ code: 'database_open_to_public', ...access }]);
}

async function attempt(check: HealthCheck, run: () => Promise<CheckOutcome>): Promise<CheckOutcome> {
  try {
    return await run();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (error instanceof UnavailableFault) return outcomeOf([{ code: 'database_unreachable', reason }]);
    return outcomeOf([{ code: 'check_failed', check, reason }]);
  }
}

/** What keeps the checks after this one from being made. */
function obstacleIn(check: HealthCheck, outcome: CheckOutcome): SkipReason | undefined {
  if (outcome.status !== 'failed') return undefined;
  if (outcome.findings.some(({ code }) => code === 'database_unreachable')) return 'database_unreachable';
  return check === 'schema' ? 'schema_not_current' : undefined;
}
