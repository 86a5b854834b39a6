import {
  type Finding,
  findingsOf,
  type HealthCheck,
  type HealthReport,
  type SkipReason,
} from '@gatehouse/domain/health';
import { formatInstant } from '@gatehouse/domain/time';
import { printable } from '../output/printable.ts';
import { describeFinding } from './finding-texts.ts';

/** What it means that a check found nothing, and what the check is called. */
const CHECKS: Readonly<Record<HealthCheck, { readonly passed: string; readonly name: string }>> = {
  database: { passed: 'The database answers.', name: 'the database' },
  schema: { passed: "The database's schema is the one of this program.", name: 'the schema' },
  clock: { passed: "This machine's clock and the database's agree.", name: 'the clocks' },
  change_feed: { passed: 'Changes in the database are heard here.', name: 'the change feed' },
  database_access: {
    passed: 'No other role may connect to the database only because every role may.',
    name: 'who may connect to the database',
  },
  signing_keys: { passed: 'Each format has an active signing key.', name: 'the signing keys' },
  master_key: { passed: 'The master key opens all signing keys in use.', name: 'the master key' },
  unused_tokens: { passed: 'No API token has been unused for 90 days.', name: 'unused tokens' },
  never_expiring_tokens: { passed: 'Every API token expires.', name: 'tokens that never expire' },
  inactive_creators: {
    passed: 'No live API token belongs to a disabled user or a suspended account.',
    name: 'tokens of inactive creators',
  },
  usage: { passed: 'Uses of tokens are stored in time.', name: 'the recording of uses' },
};

const SKIPPED: Readonly<Record<SkipReason, string>> = {
  database_unreachable: 'the database does not answer',
  data_folder_exposed: 'other users can write in the data folder',
  schema_not_current: "the database's schema is not the one of this program",
  no_keys: 'there is no key in use that it could open',
  no_master_key: 'none is configured here',
};

const NO_USAGE = 'No server has stored a use of a token within a day.';

/** A line for each check, and below each finding what to do about it. */
export function healthLines(report: HealthReport): string {
  return report
    .flatMap((outcome) => {
      if (outcome.status !== 'failed') return [line(SIGNS[outcome.status], sentence(outcome))];
      return outcome.findings.flatMap((finding) => {
        const { message, remedy } = describeFinding(finding);
        return [line(SIGNS.failed, message), line('', remedy)];
      });
    })
    .join('\n');
}

const SIGNS = { passed: 'ok', failed: 'FINDING', skipped: 'skipped' };

function line(sign: string, text: string): string {
  return `${sign.padEnd(9)}${printable(text)}`;
}

export function healthDocument(report: HealthReport): object {
  const findings = findingsOf(report);
  return {
    ok: findings.length === 0,
    findings: findings.map((finding) => ({
      code: finding.code,
      ...describeFinding(finding),
      ...dataOf(finding),
    })),
    checks: report.map((outcome) => ({
      check: outcome.check,
      status: outcome.status,
      message: sentence(outcome),
    })),
  };
}

function sentence(outcome: HealthReport[number]): string {
  const { passed, name } = CHECKS[outcome.check];
  switch (outcome.status) {
    case 'passed':
      return outcome.remark === 'no_usage' ? NO_USAGE : passed;
    case 'skipped':
      return `Not checked: ${name}, because ${SKIPPED[outcome.because]}.`;
    case 'failed':
      return outcome.findings.map((finding) => describeFinding(finding).message).join(' ');
  }
}

/** What belongs to the finding besides its code, as programs read it. */
function dataOf({ code, ...data }: Finding): object {
  const members = Object.entries(data).map(([name, value]) => [
    name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    MOMENTS.has(name) ? formatInstant(value) : value,
  ]);
  return Object.fromEntries(members);
}

const MOMENTS = new Set(['since', 'storedAt']);
