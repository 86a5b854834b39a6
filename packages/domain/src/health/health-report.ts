import { authorized, READ_HEALTH } from '../access/index.ts';
import { UnavailableFault } from '../faults.ts';
import { ok } from '../result.ts';
import {
  type FindingText,
  type Outcome,
  outcomeOf,
  REMARKS,
  SKIP_REASONS,
  type SkipReason,
} from './check.ts';
import { clockCheck } from './check-clock.ts';
import {
  changeFeedCheck,
  type DatabaseFinding,
  databaseAccessCheck,
  databaseCheck,
  schemaCheck,
} from './check-database.ts';
import { emailsCheck } from './check-emails.ts';
import { extensionsCheck, routesCheck } from './check-extensions.ts';
import { masterKeyCheck, signingKeysCheck } from './check-keys.ts';
import { mailCheck } from './check-mail.ts';
import { databasePropertiesCheck } from './check-properties.ts';
import { reactionsCheck } from './check-reactions.ts';
import { secondFactorsCheck } from './check-second-factors.ts';
import { serviceAccountsCheck } from './check-service-accounts.ts';
import { serviceCredentialsCheck } from './check-services.ts';
import { signInsCheck } from './check-sign-ins.ts';
import {
  inactiveCreatorsCheck,
  neverExpiringTokensCheck,
  overPolicyTokensCheck,
  unusedTokensCheck,
  usageCheck,
} from './check-tokens.ts';
import { webhooksCheck } from './check-webhooks.ts';

/** All checks, in the order of the report. */
const CHECKS = [
  databaseCheck,
  databasePropertiesCheck,
  schemaCheck,
  clockCheck,
  changeFeedCheck,
  databaseAccessCheck,
  routesCheck,
  signingKeysCheck,
  masterKeyCheck,
  secondFactorsCheck,
  unusedTokensCheck,
  neverExpiringTokensCheck,
  overPolicyTokensCheck,
  inactiveCreatorsCheck,
  serviceCredentialsCheck,
  serviceAccountsCheck,
  signInsCheck,
  emailsCheck,
  mailCheck,
  webhooksCheck,
  usageCheck,
  reactionsCheck,
  extensionsCheck,
] as const;

type AnyCheck = (typeof CHECKS)[number];

export type HealthCheck = AnyCheck['id'];

export const HEALTH_CHECKS: readonly HealthCheck[] = CHECKS.map(({ id }) => id);

/** The finding if a check could not be completed because of an error. */
interface CheckFailed {
  readonly code: 'check_failed';
  readonly check: HealthCheck;
  readonly reason: string;
}

type FoundBy<C> = C extends { run(ports: never): Promise<Outcome<infer Found>> } ? Found : never;

/** A problem that needs the operator's attention. */
export type Finding = FoundBy<AnyCheck> | CheckFailed;

type CheckOutcome = Outcome<Finding>;

/** The outcome of each check, in the order of `CHECKS`. */
export type HealthReport = readonly ({ readonly check: HealthCheck } & CheckOutcome)[];

/** The findings of all checks; empty if there are none. */
export function findingsOf(report: HealthReport): readonly Finding[] {
  return report.flatMap((outcome) => (outcome.status === 'failed' ? outcome.findings : []));
}

/** The report of an installation whose database cannot be opened. */
export function databaseNotOpened(finding: DatabaseFinding): HealthReport {
  return HEALTH_CHECKS.map((check) =>
    check === 'database'
      ? { check, status: 'failed', findings: [finding] }
      : { check, status: 'skipped', because: finding.code },
  );
}

const TEXTS: Readonly<Record<string, unknown>> = Object.assign(
  {
    check_failed: ({ check, reason }: CheckFailed): FindingText => ({
      message: `The check "${check}" failed: ${reason}.`,
      remedy: 'Check the log of the database server. The user of DATABASE_URL must own the tables.',
    }),
  },
  ...CHECKS.map(({ findings }) => findings),
);

/** Returns the meaning of a finding and how to fix it. */
export function describeFinding(finding: Finding): FindingText {
  // TypeScript does not know that `TEXTS[finding.code]` is the function for findings with this code.
  const describe = TEXTS[finding.code] as (finding: Finding) => FindingText;
  return describe(finding);
}

/** Describes the outcome of a check in one sentence, or with the message of each finding. */
export function describeOutcome(outcome: HealthReport[number]): string {
  if (outcome.status === 'failed') {
    return outcome.findings.map((finding) => describeFinding(finding).message).join(' ');
  }
  const { passed, name } = CHECKS.find(({ id }) => id === outcome.check) as AnyCheck;
  if (outcome.status === 'skipped') return `Not checked: ${name}, because ${SKIP_REASONS[outcome.because]}.`;
  return outcome.remark === undefined ? passed : REMARKS[outcome.remark];
}

type TakerOf<C> = C extends { run(ports: infer Taken): unknown } ? (ports: Taken) => void : never;

/** The ports of all checks together. */
export type CheckHealthPorts = TakerOf<AnyCheck> extends (ports: infer Taken) => void ? Taken : never;

/**
 * These two checks run before all other checks, one after the other. If the database cannot be reached or has another
 * schema, the other checks are skipped.
 */
const DECISIVE: readonly AnyCheck[] = [databaseCheck, schemaCheck];

/** The slowest checks. They begin before the other checks, so that the report does not wait for them at the end. */
const LONG: readonly AnyCheck[] = [changeFeedCheck, signingKeysCheck];

/**
 * The number of checks that run at the same time. A command has few database connections, so with more checks some
 * would only wait for a connection.
 */
const MAX_AT_ONCE = 2;

/**
 * Looks for problems that need the operator's attention. Changes nothing. If a check throws an error, reports the error
 * as a finding.
 */
export const checkHealth = authorized(READ_HEALTH, (ports: CheckHealthPorts) => async () => {
  const report: HealthReport[number][] = [];
  let obstacle: SkipReason | undefined;

  async function make(each: AnyCheck): Promise<void> {
    const { id: check, needsSchema = true, run } = each;
    const skipped = () => ({ check, status: 'skipped', because: obstacle as SkipReason }) as const;
    const hindered = obstacle === 'database_unreachable' || (obstacle !== undefined && needsSchema);
    if (hindered) return void report.push(skipped());
    const outcome = await attempt(check, () => run(ports));
    const found = obstacleIn(check, outcome);
    // If another check that ran at the same time has already reported the unreachable database, this check counts as
    // skipped.
    const isReported = found === 'database_unreachable' && obstacle === found;
    report.push(isReported ? skipped() : { check, ...outcome });
    obstacle = found ?? obstacle;
  }

  for (const check of DECISIVE) await make(check);
  const others = [...new Set([...LONG, ...CHECKS])].filter((check) => !DECISIVE.includes(check)).values();
  const makeOthers = async () => {
    // All loops share one iterator, so each loop continues with the next check that has not begun.
    for (const check of others) await make(check);
  };
  await Promise.all(Array.from({ length: MAX_AT_ONCE }, makeOthers));
  const place = ({ check }: HealthReport[number]) => HEALTH_CHECKS.indexOf(check);
  return ok<HealthReport>(report.toSorted((one, other) => place(one) - place(other)));
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

/** Returns the reason to skip all later checks; undefined if they can run. */
function obstacleIn(check: HealthCheck, outcome: CheckOutcome): SkipReason | undefined {
  if (outcome.status !== 'failed') return undefined;
  if (outcome.findings.some(({ code }) => code === 'database_unreachable')) return 'database_unreachable';
  return check === 'schema' ? 'schema_not_current' : undefined;
}
