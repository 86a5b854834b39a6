/** Reads with two moments chosen by the test: when they read, and when the result arrives. */
interface SlowReads {
  read<Value>(look: () => Value): Promise<Value>;
  /** Lets one of the waiting reads read. */
  look(pick: number): void;
  /** Lets one return; it reads now if it has not yet. */
  answer(pick: number): void;
  fail(pick: number): void;
  readonly open: number;
  /** The number of started reads. */
  readonly begun: number;
}

export class ReadFailed extends Error {}

interface OpenRead {
  looked: boolean;
  look(): void;
  answer(): void;
  fail(): void;
}

export function createSlowReads(): SlowReads {
  const reads: OpenRead[] = [];
  let begun = 0;
  const take = (pick: number) => reads.splice(pick % Math.max(reads.length, 1), 1)[0];
  return {
    read<Value>(look: () => Value) {
      begun += 1;
      return new Promise<Value>((resolve, reject) => {
        let seen: Value | undefined;
        const read: OpenRead = {
          looked: false,
          look() {
            if (!read.looked) seen = look();
            read.looked = true;
          },
          answer() {
            read.look();
            resolve(seen as Value);
          },
          fail: () => reject(new ReadFailed()),
        };
        reads.push(read);
      });
    },
    look(pick) {
      const waiting = reads.filter((read) => !read.looked);
      waiting[pick % Math.max(waiting.length, 1)]?.look();
    },
    answer: (pick) => take(pick)?.answer(),
    fail: (pick) => take(pick)?.fail(),
    get open() {
      return reads.length;
    },
    get begun() {
      return begun;
    },
  };
}
