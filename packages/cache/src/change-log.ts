import type { Change, ChangeFeed } from '@gatehouse/domain/changes';

export type ChangeLog = ReturnType<typeof createChangeLog>;

/** The maximum number of changes recorded one by one; beyond that, every read counts as outdated. */
const MAX_RECORDED_CHANGES = 10_000;

/**
 * Records the changes that the feed reports while the database is read. After a read, a cache asks the log whether the result
 * is outdated already. Changes are recorded only while a read is running, and once for all reads.
 */
export function createChangeLog(feed: ChangeFeed) {
  const changedAt = new Map<string, number>();
  let everythingChangedAt = 0;
  let position = 0;
  let watches = 0;

  feed.subscribe((change) => {
    if (watches === 0) return;
    position += 1;
    if (change.kind === 'everything' || changedAt.size >= MAX_RECORDED_CHANGES) {
      everythingChangedAt = position;
      changedAt.clear();
    } else {
      changedAt.set(nameOf(change), position);
    }
  });

  return {
    /** Begins to record the changes that are received. */
    watch() {
      const begunAt = position;
      watches += 1;
      return {
        /** Returns whether any of these, or everything, has changed since the watch began. */
        sawAnyOf: (changes: readonly Change[]) =>
          everythingChangedAt > begunAt ||
          // Most reads see no change at all. Looking up each dependency would take 2 % of the time of a request.
          (changedAt.size > 0 && changes.some((change) => (changedAt.get(nameOf(change)) ?? 0) > begunAt)),
        end() {
          watches -= 1;
          if (watches === 0) changedAt.clear();
        },
      };
    },
  };
}

function nameOf(change: Change): string {
  // The list of keys is cached as a whole, so a change of any key counts as a change of all.
  if (change.kind === 'everything' || change.kind === 'key') return change.kind;
  if (change.kind === 'membership') return `${change.kind}/${change.organizationId}/${change.userId}`;
  if (change.kind === 'row') return `${change.kind}/${change.table}/${change.id}`;
  if (change.kind === 'rows') return `${change.kind}/${change.table}`;
  return `${change.kind}/${change.id}`;
}
