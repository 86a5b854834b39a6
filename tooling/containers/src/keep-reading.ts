/** The number of concurrent requests. */
const AT_ONCE = 8;

/** The limits: how long requests are sent, in milliseconds, and how many. */
const LIMITS = { milliseconds: 120_000, requests: 100_000 };

/** Sends requests until it is ended, and counts their outcomes: statuses, and errors by their messages. */
export function keepReading(read: () => Promise<{ readonly status: number }>) {
  const counts: Record<string, number> = {};
  let [total, ended] = [0, false];
  const began = Date.now();
  const isOver = () => ended || total >= LIMITS.requests || Date.now() - began > LIMITS.milliseconds;
  const work = async () => {
    while (!isOver()) {
      const outcome = await read().then(
        ({ status }) => String(status),
        (error: Error) => `${error.message}: ${(error.cause as Error | undefined)?.message}`,
      );
      counts[outcome] = (counts[outcome] ?? 0) + 1;
      total += 1;
    }
  };
  const working = Array.from({ length: AT_ONCE }, work);
  return {
    /** Waits until `count` more requests were answered. */
    async more(count: number): Promise<void> {
      const wanted = total + count;
      while (total < wanted && !isOver()) await read();
    },
    async end(): Promise<Readonly<Record<string, number>>> {
      ended = true;
      await Promise.all(working);
      return counts;
    },
  };
}
