/** How the process that reads streams is started, as one argument of JSON. */
export interface StreamsPlan {
  readonly url: string;
  /** The credentials of services, which are used in turn. */
  readonly credentials: readonly string[];
}

/** A message to the process. It answers each of them with a report. */
export type StreamsOrder =
  /** Open so many streams, and report when the first line of each has arrived. */
  | { readonly open: number }
  /** Close all connections of streams. */
  | { readonly leave: true }
  | { readonly look: true };

export interface StreamsReport {
  /** The streams that are open. */
  readonly open: number;
  /** All bytes that arrived so far. */
  readonly bytes: number;
}
