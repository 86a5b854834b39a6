import type { RequestHandler } from '@gatehouse/front';
import type { HttpRequest } from '@gatehouse/http';
import type { StatementWatch } from '@gatehouse/postgres';

/** What became of spans. */
export type SpanOutcome = 'sent' | 'queue_full' | 'not_sent';

/** Traces of requests. Where no collector is named there are none, and nothing of this is loaded. */
export interface Tracing {
  /** Records the requests that this handles. */
  traced(handle: RequestHandler): RequestHandler;
  /** Notes what the answer to a request is known by. */
  readonly answered: (request: HttpRequest) => void;
  /** Records the statements that are made for requests. */
  readonly watch: StatementWatch;
  /** How many spans had which outcome. */
  readonly spans: () => Readonly<Record<SpanOutcome, number>>;
  /** Sends what waits, for a moment at most. */
  close(): Promise<void>;
}
