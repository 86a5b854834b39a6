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
  /** Sends the first request only. Default: our own load generator. */
  readonly by?: 'wrk';
}

/** The number of connections, unless a part says otherwise. */
export const CONNECTIONS = 32;

/** The results of the load generator. A status other than 200 ends the run. */
export interface LoadResult {
  readonly answered: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}
