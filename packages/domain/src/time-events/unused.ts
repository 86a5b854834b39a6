import type { AuditEvent } from '../audit/audit-event.ts';
import { addMilliseconds, type Instant } from '../time/instant.ts';
import { UNUSED_MS } from '../tokens/lists/list-account-tokens.ts';
import { isLive } from '../tokens/token.ts';
import { tokenUnused } from './time-event.ts';
import type { TokenWatch, WatchedToken } from './token-watch.ts';

interface Looked {
  readonly events: readonly AuditEvent[];
  readonly next: Instant | null;
  readonly watch: Pick<TokenWatch, 'unusedSince'>;
}

/** Decides whether a live token is unused, which is recorded once for each time without use. */
export function lookAtUse({ record, usage: { lastUsedAt }, watch }: WatchedToken, now: Instant): Looked {
  const kept = { unusedSince: watch.unusedSince };
  if (!isLive(record, now)) return { events: [], next: null, watch: kept };
  const since = lastUsedAt ?? record.createdAt;
  const at = addMilliseconds(since, UNUSED_MS);
  if (now < at) return { events: [], next: at, watch: kept };
  // A use from now on begins the next time without use.
  const next = addMilliseconds(now, UNUSED_MS);
  if (watch.unusedSince === since) return { events: [], next, watch: kept };
  return { events: [tokenUnused(record, lastUsedAt, now)], next, watch: { unusedSince: since } };
}
