export class ReadFailed extends Error {}

interface OpenRead {
  looked: boolean;
  look(): void;
  answer(): void;
  fail(): void;
}

/** Reads with two moments chosen by the test: when they read, and when the result arrives. */
export function createSlowReads() {
  const reads: OpenRead[] = [];
  const take = (pick: number) => reads.splice(pick % Math.max(reads.length, 1), 1)[0];
  return {
    read<Value>(look: () => Value) {
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
    /** Lets one of the waiting reads read. */
    look(pick: number): void {
      const waiting = reads.filter((read) => !read.looked);
      waiting[pick % Math.max(waiting.length, 1)]?.look();
    },
    /** Lets one return; it reads now if it has not yet. */
    answer: (pick: number) => take(pick)?.answer(),
    fail: (pick: number) => take(pick)?.fail(),
    get open() {
      return reads.length;
    },
  };
}
