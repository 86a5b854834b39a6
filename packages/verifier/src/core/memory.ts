/** Answers by key. An answer is forgotten when a record on which it depends changes. */
export interface Memory<Answer> {
  get(key: string): Answer | undefined;
  /** @param handles the records on which the answer depends */
  keep(key: string, answer: Answer, handles: readonly string[]): void;
  /** Forgets every answer that depends on this record. */
  drop(handle: string): void;
  /** Forgets one answer. */
  forget(key: string): void;
  /** Forgets every answer. Returns the answers that were known until now, with their keys. */
  clear(): Iterable<readonly [key: string, answer: Answer]>;
  /** How many answers take memory. Forgotten ones count until their place is used again. */
  readonly size: number;
}

/** A record on which at least one answer depends. All these answers share this object, so one write forgets them all. */
interface Source {
  readonly handle: string;
  /** How many answers depend on it. */
  answers: number;
  isChanged: boolean;
}

interface Entry<Answer> {
  readonly answer: Answer;
  readonly sources: readonly Source[];
  /** It was read since its last chance. */
  isUsed: boolean;
  /** How many records had changed when its sources were looked at the last time. */
  changesSeen: number;
}

/** How many used entries in a row are spared when an entry has to go. It bounds the time of `keep`. */
const MAX_CHANCES = 16;

/**
 * Creates a memory of at most `limit` answers. If it is full, an answer that was not read for long makes room ("second chance":
 * a read only marks the entry, because moving it to the end of the map at each read took most of the time of a read).
 */
export function createMemory<Answer>(limit: number): Memory<Answer> {
  let entries = new Map<string, Entry<Answer>>();
  const sources = new Map<string, Source>();
  /** How many records changed on which an answer depended. Few do, so most reads need not look at the sources. */
  let changes = 0;

  function sourceOf(handle: string): Source {
    let source = sources.get(handle);
    if (!source) {
      source = { handle, answers: 0, isChanged: false };
      sources.set(handle, source);
    }
    source.answers += 1;
    return source;
  }

  function remove(key: string, entry: Entry<Answer>): void {
    entries.delete(key);
    for (const source of entry.sources) {
      source.answers -= 1;
      // A changed one is no longer in the map; another may have its place.
      if (source.answers === 0 && !source.isChanged) sources.delete(source.handle);
    }
  }

  function makeRoom(): void {
    let chances = MAX_CHANCES;
    for (const [key, entry] of entries) {
      if (!entry.isUsed || chances === 0) {
        remove(key, entry);
        return;
      }
      chances -= 1;
      entry.isUsed = false;
      entries.delete(key);
      entries.set(key, entry);
    }
  }

  return {
    get(key) {
      const entry = entries.get(key);
      if (!entry) return undefined;
      if (entry.changesSeen !== changes) {
        if (entry.sources.some(({ isChanged }) => isChanged)) {
          remove(key, entry);
          return undefined;
        }
        entry.changesSeen = changes;
      }
      entry.isUsed = true;
      return entry.answer;
    },
    keep(key, answer, handles) {
      const before = entries.get(key);
      if (before) remove(key, before);
      if (entries.size >= limit) makeRoom();
      entries.set(key, { answer, sources: handles.map(sourceOf), isUsed: false, changesSeen: changes });
    },
    drop(handle) {
      const source = sources.get(handle);
      if (!source) return;
      source.isChanged = true;
      changes += 1;
      sources.delete(handle);
    },
    forget(key) {
      const entry = entries.get(key);
      if (entry) remove(key, entry);
    },
    clear() {
      const before = entries;
      entries = new Map();
      sources.clear();
      return unchanged(before);
    },
    get size() {
      return entries.size;
    },
  };
}

/** Lists answers whose records did not change, without a copy of all of them. */
function* unchanged<Answer>(entries: ReadonlyMap<string, Entry<Answer>>) {
  for (const [key, { answer, sources }] of entries) {
    if (!sources.some(({ isChanged }) => isChanged)) yield [key, answer] as const;
  }
}
