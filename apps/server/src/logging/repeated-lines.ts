/** Interval of summaries, in milliseconds. */
const SUMMARY_EVERY_MS = 1000;

/** The group of similar lines that a line is counted with. */
export interface LineGroup {
  readonly key: string;
  /** Writes one line in place of this many lines that were not written. */
  summarize(count: number): void;
}

/** A level of grouping. */
export interface Tier {
  /** Maximum number of groups; lines of further groups are counted in the next tier. */
  readonly maxGroups: number;
  /** Maximum number of groups with the same group in the next tier. Unlimited by default. */
  readonly maxSiblings?: number;
  /** Lines of a group that are written at once; further ones are counted until a second passes without one. */
  readonly maxWritten: number;
}

interface Count {
  readonly group: LineGroup;
  /** The key of the line's group in the next tier. */
  readonly parent: string | undefined;
  written: number;
  unwritten: number;
}

/**
 * Decides which of many similar lines are written. The first lines of each group are written at once, and a count of the
 * others once a second. A line belongs to one group in each tier, from narrow to wide. The line is counted in the first tier
 * that knows its group or has room for one more group, so the number of groups in memory is limited.
 */
export function createRepeatedLines(tiers: readonly Tier[]) {
  const states = tiers.map((tier) => ({ tier, counts: new Map<string, Count>() }));
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    for (const { counts } of states) {
      for (const [key, count] of counts) {
        // A group without new lines is removed, so its next lines are written at once.
        if (count.unwritten === 0) counts.delete(key);
        else count.group.summarize(count.unwritten);
        count.unwritten = 0;
      }
    }
    if (states.some(({ counts }) => counts.size > 0)) schedule();
  }

  function schedule(): void {
    timer ??= setTimeout(flush, SUMMARY_EVERY_MS).unref();
  }

  function countOf(groups: readonly LineGroup[]) {
    for (const [index, { tier, counts }] of states.entries()) {
      const group = groups[index];
      if (group === undefined) break;
      const parent = groups[index + 1]?.key;
      const known = counts.get(group.key);
      if (known === undefined && !hasRoom(tier, counts, parent)) continue;
      const count = known ?? { group, parent, written: 0, unwritten: 0 };
      counts.set(group.key, count);
      return { tier, count };
    }
    throw new RangeError('the last tier cannot hold all groups');
  }

  return {
    /** Whether to write the line now; otherwise it is counted. `groups` has its group in each tier. */
    admit(groups: readonly LineGroup[]): boolean {
      schedule();
      const { tier, count } = countOf(groups);
      const isWritten = count.written < tier.maxWritten;
      count[isWritten ? 'written' : 'unwritten'] += 1;
      return isWritten;
    },
    /** Writes the pending counts. */
    flush,
  };
}

function hasRoom(tier: Tier, counts: ReadonlyMap<string, Count>, parent: string | undefined): boolean {
  const { maxGroups, maxSiblings = maxGroups } = tier;
  if (counts.size >= maxGroups) return false;
  const siblings = [...counts.values()].filter((count) => count.parent === parent);
  return siblings.length < maxSiblings;
}
