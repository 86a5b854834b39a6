/** One request as the load generator sends it. */
export interface LoadRequest {
  readonly method?: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** How requests are chosen from a list: `in-order` starts again only when it is through. */
export type Pick = 'in-order' | 'uniform' | 'zipf';

export interface LoadPlan {
  readonly url: string;
  /** A file with one request in JSON on each line. */
  readonly requests: string;
  readonly pick: Pick;
  /** Where in the list the load begins. */
  readonly offset?: number;
  readonly connections: number;
  /** So many requests ... */
  readonly amount?: number;
  /** ... or for so long. */
  readonly seconds?: number;
  /** Requests a second over all connections; without it as many as are answered. */
  readonly rate?: number;
}

/** What the load generator saw. Anything but 200 is no result: it ends the run. */
export interface LoadResult {
  readonly answered: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}
