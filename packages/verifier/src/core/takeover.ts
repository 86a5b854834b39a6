import type { Moment } from './clocks.ts';
import type { Rules } from './rules.ts';
import type { Stream } from './stream.ts';

/** Up to which time of this process's monotonic clock the stream told every change. Undefined if that is not known. */
export function provenUntil(
  { sentAt, hello, lastProof }: Stream,
  at: Moment,
  rules: Rules,
): number | undefined {
  return hello && lastProof && rules.boundOf({ sentAt, now: hello.now }, lastProof.heard, at);
}

/**
 * Whether the two streams together told every change. If they did, memory stays true. It is asked at the first proof of the next
 * stream, when all that it tells again has arrived.
 */
export function continues(old: Stream, next: Stream, at: Moment, rules: Rules): boolean {
  const [oldBound, bound] = [provenUntil(old, at, rules), provenUntil(next, at, rules)];
  if (oldBound === undefined || bound === undefined || !old.lastProof || !next.lastProof) return false;
  return !(
    rules.clocksDisagree(old.sentAt, at) ||
    rules.isOtherDatabase(next.lastProof.database, old.lastProof.database) ||
    rules.wasPaused(next.lastProof.time - old.lastProof.time, bound - oldBound) ||
    !rules.tellsKinds(next, old.hello?.kinds ?? []) ||
    !rules.overlaps(next, oldBound)
  );
}
