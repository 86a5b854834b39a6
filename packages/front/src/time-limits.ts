import type { ServerOptions } from 'node:http';

/** In milliseconds. Slow headers end within 10 s and slow bodies within 15 s: Node looks for them once in `checkEvery`. */
export const TIME_LIMITS = {
  headers: 9_000,
  /** For the whole request, headers and body. */
  request: 14_000,
  /** Between a response and the next request. */
  betweenRequests: 5_000,
  /** After a response, for the rest of the request's body to arrive. */
  lateBody: 1_000,
  /** While a response waits for a client that does not read. */
  standstill: 20_000,
  checkEvery: 50,
} as const;
export type TimeLimits = Readonly<Record<keyof typeof TIME_LIMITS, number>>;

/** The limits that Node itself keeps. Requests that exceed them are answered as parse errors (`parse-errors.ts`). */
export function nodeTimeLimits(timeLimits: TimeLimits): ServerOptions {
  return {
    headersTimeout: timeLimits.headers,
    requestTimeout: timeLimits.request,
    keepAliveTimeout: timeLimits.betweenRequests,
    connectionsCheckingInterval: timeLimits.checkEvery,
  };
}
