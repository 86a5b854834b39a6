import type { AuditQuery } from '@gatehouse/domain/audit';
import type { Queries } from '../database/schema.ts';
import type { Bounds, Stream } from './event-streams.ts';
import { boundsOfTimes, hasAtMost } from './id-bounds.ts';
import { type Row, readStep } from './read-step.ts';

/** The largest number of events that one statement reads to find a page. */
const MAX_EVENTS = 2500;

/**
 * Reads the newest events of the streams that fit the query. Each statement reads a limited number of events, so an
 * account with any number of them has no slow statement. Few events of a stream may fit the other filters. Then more
 * are read, from where the last statement ended, and of other streams or a range of ids that has fewer events, if one
 * has.
 */
export async function newestOf(
  db: Queries,
  query: AuditQuery,
  streams: readonly Stream[],
  others: readonly (readonly Stream[])[],
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  let read = streams;
  let bounds: Bounds = { first: 1, last: query.before === undefined ? LAST : query.before - 1 };
  let size = query.limit;
  let isInTimes = false;
  let isNarrowed = false;
  for (;;) {
    size = Math.min(size, MAX_EVENTS);
    const left = query.limit - rows.length;
    const step = await readStep(db, query, { streams: read, bounds, size, left });
    rows.push(...step.rows);
    const found = step.rows.length;
    if (step.next === null || found === left) return rows;
    bounds = { ...bounds, last: step.next - 1 };
    // Reads twice as many as are enough if as many of them fit the query.
    size = Math.min(4 * size, Math.ceil((2 * (left - found) * size) / (found + 1)));
    if (step.leftTimes && !isInTimes) {
      isInTimes = true;
      const ofTimes = await boundsOfTimes(db, query, bounds);
      if (ofTimes === undefined) return rows;
      // Nearly all events are in the range of time from now on.
      if (ofTimes.last < bounds.last) size = left - found;
      bounds = ofTimes;
    }
    if (!isNarrowed) read = (await withFew(db, others, bounds)) ?? read;
    isNarrowed = true;
  }
}

/** PostgreSQL has greater ids, but the log has none. */
const LAST = Number.MAX_SAFE_INTEGER;

async function withFew(db: Queries, others: readonly (readonly Stream[])[], bounds: Bounds) {
  for (const streams of others) if (await hasAtMost(db, streams, bounds, MAX_EVENTS)) return streams;
  return undefined;
}
