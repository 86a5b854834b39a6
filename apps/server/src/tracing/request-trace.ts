import { AsyncLocalStorage } from 'node:async_hooks';
import type { RequestTrace } from './request-spans.ts';

const traces = new AsyncLocalStorage<RequestTrace | undefined>();

/**
 * Runs the work for a request, during which `currentTrace` returns this trace. `trace` is undefined if the request is
 * not recorded.
 */
export function inTrace(trace: RequestTrace | undefined, work: () => void): void {
  traces.run(trace, work);
}

/** Returns the trace of the request that the calling code is working for; undefined if that request is not recorded. */
export const currentTrace = (): RequestTrace | undefined => traces.getStore();

/** Returns the facts to add to a log line: the id of the trace, if the line is about a recorded request. */
export function traceFacts(facts: object): object {
  const trace = 'request_id' in facts ? traces.getStore() : undefined;
  return trace ? { trace_id: trace.traceId } : {};
}
