import type { Change, ChangeFeed } from '@gatehouse/domain/changes';

/** What was told since the watch began. */
export interface Watch {
  /** Whether any of these, or everything, was told to have changed. */
  sawAnyOf(changes: readonly Change[]): boolean;
  end(): void;
}

/** Remembers what changes while somebody reads, so that a read and a change cannot pass each other unseen. */
export interface ChangeLog {
  watch(): Watch;
}

/** So many names are kept apart; above that, whoever is reading reads again. */
const MOST_NAMES = 10_000;

/** Costs nothing while nobody watches. One log serves all watches, so that a change is written once. */
export function createChangeLog(feed: ChangeFeed): ChangeLog {
  const toldAt = new Map<string, number>();
  let everythingToldAt = 0;
  let position = 0;
  let watches = 0;

  feed.subscribe((change) => {
    if (watches === 0) return;
    position += 1;
    if (change.kind === 'everything' || toldAt.size >= MOST_NAMES) {
      everythingToldAt = position;
      toldAt.clear();
    } else {
      toldAt.set(nameOf(change), position);
    }
  });

  return {
    watch() {
      const begunAt = position;
      watches += 1;
      return {
        sawAnyOf: (changes) =>
          everythingToldAt > begunAt || changes.some((change) => (toldAt.get(nameOf(change)) ?? 0) > begunAt),
        end() {
          watches -= 1;
          if (watches === 0) toldAt.clear();
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
