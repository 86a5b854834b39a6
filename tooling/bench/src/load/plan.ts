/** A request of the load generator. */
export interface LoadRequest {
  readonly method?: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** How requests are chosen from a list: `in-order` starts over after the last. */
export type Pick = 'in-order' | 'uniform' | 'zipf';

export interface LoadPlan {
  readonly url: string;
  /** A file with one request in JSON on each line. */
  readonly requests: string;
  readonly pick: Pick;
  /** The index of the first request. */
  readonly offset?: number;
  readonly connections: number;
  /** The number of requests ... */
  readonly amount?: number;
  /** ... or the duration in seconds. */
  readonly seconds?: number;
  /** The rate in requests a second over all connections. Default: as fast as they are answered. */
  readonly rate?: number;
}

/** The number of connections, unless a part says otherwise. */
export const CONNECTIONS = 32;
/** Requests that the load generator may have built but not sent when it stops. */
const UNSENT = 4 * CONNECTIONS;
/** Below what any machine reaches: a load of tokens used once takes about as long as the others. */
const ONCE_PER_SECOND = 1_500;

/** Loads that use each request once, `slice` of them for each load. */
export function usedOnce(seconds: number) {
  const amount = Math.ceil(ONCE_PER_SECOND * seconds);
  const slice = amount + UNSENT;
  const plan = (requests: string) => (turn: number) =>
    ({ requests, pick: 'in-order', offset: turn * slice, connections: CONNECTIONS, amount }) as const;
  return { slice, plan };
}

/** The results of the load generator. A status other than 200 ends the run. */
export interface LoadResult {
  readonly answered: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}
