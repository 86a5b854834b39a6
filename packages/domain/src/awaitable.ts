/** A value that is known now, such as one from memory, or later. */
export type Awaitable<T> = T | Promise<T>;

/**
 * Calls `next` with the value: at once, or when the promise of the value resolves. So a request that is answered from memory
 * makes no promise. Seven promises took a tenth of the CPU time of a request.
 */
export function andThen<T, U>(value: Awaitable<T>, next: (value: T) => Awaitable<U>): Awaitable<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}
