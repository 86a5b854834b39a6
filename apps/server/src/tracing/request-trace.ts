import { AsyncLocalStorage } from 'node:async_hooks';
import type { StatementWatch } from '@gatehouse/postgres';

/** The trace of a request that is recorded. */
export interface RequestTrace {
  readonly traceId: string;
  /** Notes the route and the id of the request. Without a route, the path is not served. */
  answered(route: string | undefined, requestId: string): void;
  readonly watch: StatementWatch;
}

const traces = new AsyncLocalStorage<RequestTrace | undefined>();

/** Runs the work for a request. `trace` is undefined if the request is not recorded. */
export function inTrace(trace: RequestTrace | undefined, work: () => void): void {
  traces.run(trace, work);
}

/** The trace of the request for which this runs. */
export const currentTrace = (): RequestTrace | undefined => traces.getStore();

/** Adds the id of the trace to log lines about a request. */
export function traceFacts(facts: object): object {
  const trace = 'request_id' in facts ? traces.getStore() : undefined;
  return trace ? { trace_id: trace.traceId } : {};
}
