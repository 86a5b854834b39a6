import type { Change, ChangeFeed } from '@gatehouse/domain/changes';
import { type ServiceName, TOLD_KINDS, type ToldKind } from '@gatehouse/domain/services';
import type { MonotonicClock } from '@gatehouse/domain/time';
import type { HandleOf } from './token-handles.ts';

/** A change of a record whose changes services follow. */
type ToldChange = Extract<Change, { readonly kind: ToldKind }>;

/** Changes that the feed delivered together. `all`: they are too many to list, or are not known. */
export interface ChangeLine {
  readonly heardAt: number;
  readonly changes: readonly ToldChange[] | 'all';
  /** The handles of the changes as JSON without brackets, for each service for which they were made. */
  readonly encoded: Map<ServiceName, string>;
}

/** How long changes are kept, in milliseconds. */
const KEPT_MS = 10_000;

/** The largest number of kept changes. More are kept as `all`: their handles would take more than 256 KB. */
export const MAX_KEPT = 10_000;

const TOLD: ReadonlySet<string> = new Set(TOLD_KINDS);
const isTold = (change: Change): change is ToldChange => TOLD.has(change.kind);

export type RecentChanges = ReturnType<typeof createRecentChanges>;

/**
 * Keeps the changes that the feed delivered in the last 10 seconds.
 *
 * @param onLine called with each new line, after it is kept
 */
export function createRecentChanges(
  { feed, monotonicClock }: { readonly feed: ChangeFeed; readonly monotonicClock: MonotonicClock },
  onLine: (line: ChangeLine) => void,
) {
  const begunAt = monotonicClock.elapsedMs();
  let lines: ChangeLine[] = [];
  let kept = 0;
  let waiting: Map<string, ToldChange> | 'all' = new Map();

  const countOf = ({ changes }: ChangeLine) => (changes === 'all' ? 1 : changes.length);

  function keep(changes: ChangeLine['changes'], heardAt: number): ChangeLine {
    const line = { heardAt, changes, encoded: new Map() };
    // `all` includes every earlier change.
    if (changes === 'all') [lines, kept] = [[], 0];
    lines.push(line);
    kept += countOf(line);
    return line;
  }

  function forgetBefore(heardAt: number): void {
    const stale = lines.findIndex((line) => line.heardAt >= heardAt);
    const forgotten = lines.splice(0, stale === -1 ? lines.length : stale);
    for (const line of forgotten) kept -= countOf(line);
  }

  /** Makes a line of the changes that were delivered since the last line. */
  function flush(): void {
    if (waiting !== 'all' && waiting.size === 0) return;
    const changes = waiting === 'all' || waiting.size > MAX_KEPT ? 'all' : [...waiting.values()];
    waiting = new Map();
    const now = monotonicClock.elapsedMs();
    forgetBefore(now - KEPT_MS);
    onLine(keep(changes, now));
    if (kept > MAX_KEPT) keep('all', now);
  }

  const unsubscribe = feed.subscribe((change) => {
    const isFirst = waiting !== 'all' && waiting.size === 0;
    if (change.kind === 'everything') waiting = 'all';
    else if (waiting !== 'all' && isTold(change)) waiting.set(`${change.kind}:${change.id}`, change);
    else return;
    if (isFirst) queueMicrotask(flush);
  });

  return {
    flush,
    /** Returns the changes of the last 10 seconds, or since the start, and the time since when they are complete. */
    replay() {
      flush();
      const from = Math.max(begunAt, monotonicClock.elapsedMs() - KEPT_MS);
      forgetBefore(from);
      return { from, lines: lines as readonly ChangeLine[] };
    },
    close: () => unsubscribe(),
  };
}

/** Encodes the handles of a line for a service once. The line must not be `all`. */
export function encodedFor(
  { changes, encoded }: ChangeLine,
  service: ServiceName,
  handleOf: HandleOf,
): string | 'all' {
  if (changes === 'all') return changes;
  const known = encoded.get(service);
  if (known !== undefined) return known;
  const made = changes.map(({ kind, id }) => `"${handleOf(kind, id)}"`).join();
  encoded.set(service, made);
  return made;
}
