/** How often what was counted is written, in milliseconds. */
const SUMMARY_EVERY_MS = 1000;
/** How many different lines are kept apart between two summaries; others are only counted. */
const MAX_DISTINCT_LINES = 100;

/** How to write what stands for lines that were not written. */
export interface Summary {
  /** So many more lines were equal to this one. */
  repeated(count: number): void;
  /** So many lines were not written that were equal to none of those that are kept apart. */
  lost(count: number): void;
}

/** Decides which of many equal lines are written. */
export interface RepeatedLines {
  /** Whether to write the line now. If not, it is counted, and a summary tells. */
  admit(key: string, summary: Summary): boolean;
  /** Writes what was counted until now. */
  flush(): void;
}

/** Has the first of equal lines written at once, and once a second how many more there were. */
export function createRepeatedLines(): RepeatedLines {
  const lines = new Map<string, { repeated: number; readonly summary: Summary }>();
  let others: { count: number; readonly summary: Summary } | undefined;
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    for (const [key, line] of lines) {
      // One that did not come again is forgotten: the next is written at once.
      if (line.repeated === 0) lines.delete(key);
      else line.summary.repeated(line.repeated);
      line.repeated = 0;
    }
    others?.summary.lost(others.count);
    others = undefined;
    if (lines.size > 0) schedule();
  }

  function schedule(): void {
    timer ??= setTimeout(flush, SUMMARY_EVERY_MS).unref();
  }

  return {
    admit(key, summary) {
      schedule();
      const line = lines.get(key);
      if (line !== undefined) line.repeated += 1;
      else if (lines.size < MAX_DISTINCT_LINES) lines.set(key, { repeated: 0, summary });
      else {
        others ??= { count: 0, summary };
        others.count += 1;
        return false;
      }
      return line === undefined;
    },
    flush,
  };
}
