import type { RequestListener } from 'node:http';
import type { HttpRequest } from '@gatehouse/http';
import type { StatementWatch } from '@gatehouse/postgres';

/** The outcomes of spans. */
export type SpanOutcome = 'sent' | 'queue_full' | 'not_sent';

/** Traces requests. Loaded only if the settings name a collector. */
export interface Tracing {
  /** Returns a handler that records its requests. */
  traced(handle: RequestListener): RequestListener;
  /** Notes the route and the id of an answered request. */
  readonly answered: (request: HttpRequest) => void;
  /** Records the statements that are made for requests. */
  readonly watch: StatementWatch;
  /** The number of spans by outcome. */
  readonly spans: () => Readonly<Record<SpanOutcome, number>>;
  /** Sends the waiting spans, for a moment at most. */
  close(): Promise<void>;
}
