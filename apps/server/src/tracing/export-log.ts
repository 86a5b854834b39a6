import type { Log } from '../logging/line-kind.ts';
import type { SpanOutcome } from './tracing.ts';

/** The interval of lines about a collector that stays unavailable, in milliseconds. */
const SAY_EVERY_MS = 60_000;

/**
 * Logs when traces cannot be sent, and when they can be again. Logs no text of the collector, which may be anything.
 */
export function createExportLog(
  log: Log,
  spans: () => Readonly<Record<SpanOutcome, number>>,
  now: () => number = () => performance.now(),
) {
  let saidAt: number | undefined;
  let before = 0;
  const dropped = () => {
    const { queue_full, not_sent } = spans();
    const since = queue_full + not_sent - before;
    before += since;
    return since;
  };
  return (problem?: Error): void => {
    if (!problem) {
      if (saidAt !== undefined) log.info({ dropped: dropped() }, 'traces are sent again');
      saidAt = undefined;
    } else if (saidAt === undefined || now() - saidAt >= SAY_EVERY_MS) {
      saidAt = now();
      log.warn({ dropped: dropped(), reason: reasonOf(problem) }, 'traces cannot be sent');
    }
  };
}

function reasonOf(problem: Error): string {
  const code = 'code' in problem ? problem.code : undefined;
  if (typeof code === 'number') return `the collector answered ${code}`;
  return typeof code === 'string' ? code : problem.message;
}
