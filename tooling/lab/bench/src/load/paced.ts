import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises';
import type { LoadRequest } from './plan.ts';
import { connect, type RawConnection } from './raw-connection.ts';

export interface PacedOptions {
  readonly url: string;
  readonly connections: number;
  /** The rate in requests a second. */
  readonly rate: number;
  readonly seconds: number;
  readonly stopped: AbortSignal;
  next(): LoadRequest;
  onResponse(status: number, milliseconds: number): void;
}

/**
 * From this rate on, this process never sleeps: requests that a timer sends once a millisecond would wait for each other at
 * the server. Below it, sleeping leaves the core to the others.
 */
const AWAKE_FROM_RATE = 2_000;

/**
 * At such a rate, answers wait while this process compiles its own code: the latencies of the first part of a load say
 * nothing about the server.
 */
export function unrecordedSeconds({ rate, seconds }: Pick<PacedOptions, 'rate' | 'seconds'>): number {
  return rate < AWAKE_FROM_RATE ? 0 : Math.min(0.5, seconds / 2);
}

/**
 * Sends requests at a constant rate, whether or not the previous ones were answered, and includes the wait for a free
 * connection: a server that stalls does not get fewer requests. (autocannon sends the requests of a whole second at
 * once, and then waits for the next second.) Resolves when all are answered, rejects if one is not.
 */
export async function sendPaced(options: PacedOptions): Promise<void> {
  const { url, connections, rate, seconds, stopped, next, onResponse } = options;
  await using resources = new AsyncDisposableStack();
  /** Used in turn, so that the server closes none as idle. */
  const free: RawConnection[] = [];
  /** The requests that wait for a connection: when each was due. */
  const due: number[] = [];
  let underWay = 0;
  let failure: Error | undefined;
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const fail = (error: Error) => {
    failure ??= error;
    end();
  };

  function sendDue(): void {
    while (due.length > 0) {
      const connection = free.shift();
      if (!connection) return;
      const dueAt = due.shift() as number;
      underWay += 1;
      connection.send(next(), (status) => {
        onResponse(status, performance.now() - dueAt);
        underWay -= 1;
        free.push(connection);
        sendDue();
        if (isOver && underWay === 0) end();
      });
    }
  }

  for (let index = 0; index < connections; index++) {
    free.push(resources.use(await connect(url, fail)));
  }
  const startedAt = performance.now();
  let isOver = false;
  for (let noticed = 0; !isOver; ) {
    await (rate < AWAKE_FROM_RATE ? delay(1) : turn());
    const now = performance.now();
    const elapsed = (now - startedAt) / 1000;
    isOver = failure !== undefined || stopped.aborted || elapsed >= seconds;
    for (; !isOver && noticed < elapsed * rate; noticed++) due.push(now);
    sendDue();
  }
  if (underWay > 0 && !failure) await ended;
  if (failure) throw failure;
}
