import autocannon from 'autocannon';
import type { LoadPlan, LoadRequest } from './plan.ts';

export interface FastOptions extends Pick<LoadPlan, 'url' | 'connections' | 'amount' | 'seconds'> {
  readonly requests: readonly LoadRequest[];
  readonly stopped: AbortSignal;
  next(): LoadRequest;
  onResponse(status: number, milliseconds: number): void;
}

/** Keeps every connection busy. Rejects if a request was not answered. */
export async function sendAsFastAsAnswered(options: FastOptions): Promise<void> {
  const { url, connections, amount, seconds = 1, requests, stopped, next, onResponse } = options;
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const running = autocannon(
      {
        url,
        connections,
        timeout: 30,
        ...(amount === undefined ? { duration: seconds } : { amount }),
        // A single request is built once; with several, each is built when it is sent.
        requests:
          requests.length === 1
            ? [...requests]
            : [{ setupRequest: (defaults) => ({ ...defaults, ...next() }) }],
      },
      (error, finished) => (error ? reject(error) : resolve(finished)),
    );
    running.on('response', (_client, status, _bytes, milliseconds) => onResponse(status, milliseconds));
    stopped.addEventListener('abort', () => running.stop());
  });
  if (result.errors > 0) {
    throw new Error(`${result.errors} requests were not answered, ${result.timeouts} of them in time`);
  }
}
