import { Agent, request as send } from 'node:http';
import { setInterval as ticks } from 'node:timers/promises';
import type { LoadRequest } from './plan.ts';

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
 * Sends requests at a constant rate, whether or not the previous ones were answered, and includes the wait for a free
 * connection: a server that stalls does not get fewer requests. (autocannon sends the requests of a whole second at
 * once, and then waits for the next second.) Resolves when all are answered, rejects if one is not.
 */
export async function sendPaced(options: PacedOptions): Promise<void> {
  const { url, connections, rate, seconds, stopped, next, onResponse } = options;
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const startedAt = performance.now();
  const underWay = new Set<Promise<void>>();
  let sent = 0;
  let failure: { readonly error: unknown } | undefined;
  for await (const _ of ticks(1)) {
    const elapsed = (performance.now() - startedAt) / 1000;
    if (failure || stopped.aborted || elapsed >= seconds) break;
    for (; sent < elapsed * rate; sent++) {
      const answered = ask(url, next(), agent, onResponse)
        .catch((error) => {
          failure ??= { error };
        })
        .finally(() => underWay.delete(answered));
      underWay.add(answered);
    }
  }
  await Promise.all(underWay);
  agent.destroy();
  if (failure) throw failure.error;
}

function ask(
  url: string,
  { method = 'GET', path, headers, body }: LoadRequest,
  agent: Agent,
  onResponse: PacedOptions['onResponse'],
): Promise<void> {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    send(`${url}${path}`, { method, headers, agent }, (response) => {
      response.resume();
      response.on('end', () => {
        onResponse(response.statusCode ?? 0, performance.now() - startedAt);
        resolve();
      });
    })
      .on('error', reject)
      .end(body);
  });
}
