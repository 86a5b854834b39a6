/**
 * Resolves with the result of a read for this key. The read begins after the call, so its result is never older than
 * the call.
 */
type CoalescedReads<Key, Value> = (key: Key, read: () => Promise<Value>) => Promise<Value>;

/**
 * Creates a function with which any number of callers share reads. For each key, at most one read is running, and at
 * most one more read waits for it to end. Callers share the waiting read and never the running read, which may not see
 * the latest changes. So a caller waits for at most two reads.
 */
export function createCoalescedReads<Key, Value>(): CoalescedReads<Key, Value> {
  const underWay = new Map<Key, Promise<Value>>();
  const waiting = new Map<Key, Promise<Value>>();

  function begin(key: Key, read: () => Promise<Value>): Promise<Value> {
    waiting.delete(key);
    const reading = start(read).finally(() => underWay.delete(key));
    underWay.set(key, reading);
    return reading;
  }

  return (key, read) => {
    const next = waiting.get(key);
    if (next) return next;
    const current = underWay.get(key);
    if (!current) return begin(key, read);
    const beginNext = () => begin(key, read);
    const joined = current.then(beginNext, beginNext);
    waiting.set(key, joined);
    return joined;
  };
}

/** Calls `read`. If `read` throws, returns a rejected promise instead of throwing. */
async function start<Value>(read: () => Promise<Value>): Promise<Value> {
  return read();
}
