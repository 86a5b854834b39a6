import type { Change, ChangeFeed } from '@gatehouse/domain/changes';

/** The changes received since the watch began. */
export interface Watch {
  /** Returns whether any of these, or everything, has changed. */
  sawAnyOf(changes: readonly Change[]): boolean;
  end(): void;
}

/** Records changes during reads, so that a read cannot miss a concurrent change. */
export interface ChangeLog {
  watch(): Watch;
}

/** The maximum number of changes recorded one by one; beyond that, every read counts as outdated. */
const MAX_RECORDED_CHANGES = 10_000;

/** Costs nothing without watches. All watches share one log, so that a change is recorded once. */
export function createChangeLog(feed: ChangeFeed): ChangeLog {
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
    watch() {
      const begunAt = position;
      watches += 1;
      return {
        sawAnyOf: (changes) =>
          everythingChangedAt > begunAt ||
          changes.some((change) => (changedAt.get(nameOf(change)) ?? 0) > begunAt),
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
    case 'everything':
      return change.kind;
    case 'membership':
      return `${change.kind}/${change.organizationId}/${change.userId}`;
    default:
      return `${change.kind}/${change.id}`;
  }
}
