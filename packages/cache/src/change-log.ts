import type { Change, ChangeFeed } from '@gatehouse/domain/changes';

export type ChangeLog = ReturnType<typeof createChangeLog>;

/** The maximum number of recorded changes. After more changes, the results of all running reads count as outdated. */
const MAX_RECORDED_CHANGES = 10_000;

/**
 * Creates the record of the changes that the change feed reports while a cache reads the database. After the read, the
 * cache looks up whether a change has made the result outdated. Changes are recorded only while at least one read is
 * running, and all reads share the same record.
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
    /** Begins a watch. While it lasts, the changes that the feed reports are recorded. */
    watch() {
      const begunAt = position;
      watches += 1;
      return {
        /** Returns whether any of these changes, or a change of everything, was reported since the watch began. */
        sawAnyOf: (changes: readonly Change[]) =>
          everythingChangedAt > begunAt ||
          // During most reads there is no change. The check of the size saves the look-ups, which would take 2 % of the
          // time of a request.
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
  switch (change.kind) {
    case 'membership':
      return `${change.kind}/${change.organizationId}/${change.userId}`;
    case 'row':
      return `${change.kind}/${change.table}/${change.id}`;
    case 'rows':
      return `${change.kind}/${change.table}`;
    case 'token':
    case 'user':
    case 'account':
    case 'organization':
      return `${change.kind}/${change.id}`;
    default:
      // The keys and the services are cached as whole lists, so a change of any of them counts as a change of all.
      return change.kind;
  }
}
