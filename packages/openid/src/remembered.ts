import type { MonotonicClock } from '@gatehouse/domain/time';

/** A value that is read when it is first needed, and read again when it is too old. */
export interface Remembered<Value> {
  /**
   * Returns a value that is at most this many milliseconds old. Everyone who asks during a read waits for the same read. A
   * read that fails is not remembered.
   */
  get(youngerThanMs?: number): Promise<Value>;
}

export function remembered<Value>(
  read: () => Promise<Value>,
  ageMs: number,
  clock: MonotonicClock,
): Remembered<Value> {
  let known: { readonly value: Value; readonly at: number } | undefined;
  let reading: Promise<Value> | undefined;

  async function readAnew(): Promise<Value> {
    const at = clock.elapsedMs();
    const value = await read();
    known = { value, at };
    return value;
  }

  return {
    get(youngerThanMs = ageMs) {
      if (known && clock.elapsedMs() - known.at < youngerThanMs) return Promise.resolve(known.value);
      reading ??= readAnew().finally(() => {
        reading = undefined;
      });
      return reading;
    },
  };
}
