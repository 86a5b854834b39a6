/** The time between two summaries of lines that were not written, in milliseconds. */
const SUMMARY_EVERY_MS = 1000;

/** A group of similar lines, which are counted together. */
export interface LineGroup {
  readonly key: string;
  /** Writes one line that stands for `count` lines of the group that were not written. */
  summarize(count: number): void;
}

/** One of several levels on which lines are grouped, from narrow groups to wide groups, with its limits. */
export interface Tier {
  /** Maximum number of groups; lines of further groups are counted in the next tier. */
  readonly maxGroups: number;
  /** Maximum number of groups of this tier that belong to the same group of the next tier. Default: `maxGroups`. */
  readonly maxSiblings?: number;
  /**
   * The number of lines of a group that are written at once. Further lines are only counted, until a second passes
   * without a further line.
   */
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
 * Decides which of many similar lines are written. The first lines of each group are written at once. For further
 * lines, a summary with their number is written once a second. A line has one group in each tier, from narrow to wide.
 * It is counted in the narrowest tier that has its group already, or has room for one more group. So the number of
 * groups in memory is limited.
 */
export function createRepeatedLines(tiers: readonly Tier[]) {
  const states = tiers.map((tier) => ({ tier, counts: new Map<string, Count>() }));
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    for (const { counts } of states) {
      for (const [key, count] of counts) {
        // A group without unwritten lines in the last second is removed. If similar lines come later, they are written
        // at once.
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
    /**
     * Returns whether to write a line now; if not, the line is counted. `groups` has the line's group in each tier, in
     * the order of `tiers`.
     */
    admit(groups: readonly LineGroup[]): boolean {
      schedule();
      const { tier, count } = countOf(groups);
      const isWritten = count.written < tier.maxWritten;
      count[isWritten ? 'written' : 'unwritten'] += 1;
      return isWritten;
    },
    /** Writes the summaries of all lines that were counted but not written yet. */
    flush,
  };
}

function hasRoom(tier: Tier, counts: ReadonlyMap<string, Count>, parent: string | undefined): boolean {
  const { maxGroups, maxSiblings = maxGroups } = tier;
  if (counts.size >= maxGroups) return false;
  const siblings = [...counts.values()].filter((count) => count.parent === parent);
  return siblings.length < maxSiblings;
}
