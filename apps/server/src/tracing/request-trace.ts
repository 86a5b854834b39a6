import { AsyncLocalStorage } from 'node:async_hooks';
import type { RequestTrace } from './request-spans.ts';

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
