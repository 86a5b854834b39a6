import type { AuditEvent } from '../audit/audit-event.ts';
import { addMilliseconds, type Instant } from '../time/instant.ts';
import { tokenExpiredInUse, tokenExpiresSoon } from './time-event.ts';
import { DAY_MS, type TokenWatch, type WatchedToken } from './token-watch.ts';

/** The numbers of days before an expiry at which it is recorded. */
const DAYS_BEFORE = [30, 7, 1] as const;

/** A token was used lately if its last use was less than this many milliseconds ago (7 days). */
const LATELY_MS = 7 * DAY_MS;

/** A token that ended is looked at for this many milliseconds (30 days), because programs that still use it fail then. */
const WATCHED_AFTER_MS = 30 * DAY_MS;

interface Looked {
  readonly events: readonly AuditEvent[];
  readonly next: Instant | null;
  readonly watch: Pick<TokenWatch, 'expiresAt' | 'daysLeft'>;
}

/** Decides what the expiry of a token brings, and when to look again. */
export function lookAtExpiry(found: WatchedToken, now: Instant): Looked {
  const { expiresAt } = found.record;
  const daysLeft = found.watch.expiresAt === expiresAt ? found.watch.daysLeft : null;
  const kept = { expiresAt, daysLeft };
  if (expiresAt === null) return { events: [], next: null, watch: kept };
  return expiresAt <= now
    ? lookAtEnd(found, expiresAt, kept, now)
    : lookBeforeEnd(found, expiresAt, kept, now);
}

/**
 * Only the most urgent of several times that have come is recorded. No time counts that was there at the token's
 * creation: who creates a token for a week knows that it ends in a week.
 */
function lookBeforeEnd(
  { record, usage }: WatchedToken,
  expiresAt: Instant,
  kept: Looked['watch'],
  now: Instant,
): Looked {
  // Its successor is in use, so no one has to act.
  if (record.replacedAt !== null) return { events: [], next: expiresAt, watch: kept };
  const times = DAYS_BEFORE.filter((days) => days * DAY_MS < expiresAt - record.createdAt).map((days) => ({
    days,
    at: addMilliseconds(expiresAt, -days * DAY_MS),
  }));
  const next = times.find(({ at }) => at > now)?.at ?? expiresAt;
  const due = times.findLast(({ at }) => at <= now);
  if (due === undefined || (kept.daysLeft !== null && kept.daysLeft <= due.days))
    return { events: [], next, watch: kept };
  const days = Math.ceil((expiresAt - now) / DAY_MS);
  const usedLately = usage.lastUsedAt !== null && usage.lastUsedAt > now - LATELY_MS;
  const event = tokenExpiresSoon(record, { expiresAt, days, usedLately }, now);
  return { events: [event], next, watch: { expiresAt, daysLeft: due.days } };
}

/** A token that its successor replaced counts only if programs still send it after its end. */
function lookAtEnd(
  { record, usage: { lastUsedAt, lastRefusal } }: WatchedToken,
  expiresAt: Instant,
  kept: Looked['watch'],
  now: Instant,
): Looked {
  if (kept.daysLeft === 0 || now - expiresAt >= WATCHED_AFTER_MS)
    return { events: [], next: null, watch: kept };
  const refused = lastRefusal !== null && lastRefusal.reason === 'expired' && lastRefusal.at >= expiresAt;
  const wasInUse = record.replacedAt === null && lastUsedAt !== null && lastUsedAt > expiresAt - LATELY_MS;
  if (!refused && !wasInUse) return { events: [], next: addMilliseconds(now, DAY_MS), watch: kept };
  const event = tokenExpiredInUse(record, refused, now);
  return { events: [event], next: null, watch: { expiresAt, daysLeft: 0 } };
}
