import type { HealthReport } from '@gatehouse/domain/health';
import { describeFinding, describeOutcome, findingsOf } from '@gatehouse/domain/health';
import { printable } from '../output/printable.ts';
import { wrapBeside } from '../output/wrap.ts';
import { documentOf } from './document.ts';

/**
 * Formats all checks, or only the checks with findings. The remedy is below each finding. Lines are wrapped at `width`,
 * the width of the terminal; undefined elsewhere.
 */
export function healthLines(report: HealthReport, which: 'all' | 'findings', width: number | undefined) {
  const line = (sign: string, text: string) =>
    sign.padEnd(SIGN_WIDTH) + wrapBeside(SIGN_WIDTH, printable(text), width);
  return report.flatMap((outcome) => {
    if (outcome.status !== 'failed')
      return which === 'findings' ? [] : [line(SIGNS[outcome.status], describeOutcome(outcome))];
    return outcome.findings.flatMap((finding) => {
      const { message, remedy } = describeFinding(finding);
      return [line(SIGNS.failed, message), line('', remedy)];
    });
  });
}

const SIGNS = { passed: 'ok', failed: 'FINDING', skipped: 'skipped' };
const SIGN_WIDTH = 9;

export function healthDocument(report: HealthReport): object {
  const findings = findingsOf(report);
  return {
    ok: findings.length === 0,
    findings: findings.map((finding) => {
      const { code, ...data } = finding;
      return {
        code,
        ...describeFinding(finding),
        ...documentOf(data, ...(Object.keys(data) as (keyof typeof data)[])),
      };
    }),
    checks: report.map((outcome) => ({
      check: outcome.check,
      status: outcome.status,
      message: describeOutcome(outcome),
    })),
  };
}
