import { isSpanContextValid, type SpanContext, TraceFlags } from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';
import type { TracingSettings } from '../settings/tracing-settings.ts';

/** The relation of a recorded request to its caller's trace. Both members are undefined if the caller sent no trace. */
export interface Sampled {
  /** The caller's span, if the request's span is to become a part of the caller's trace. */
  readonly parent?: SpanContext;
  /** The caller's span, if the request is to have a trace of its own, with a link to the caller's span. */
  readonly linked?: SpanContext;
}

/**
 * Creates the function that decides whether a request is recorded, from its `traceparent` header. Callers can decide
 * only with a `parentbased_` sampler. With other samplers their flag and the id of their trace are ignored, because
 * callers could set them to have all their requests recorded.
 *
 * @param draw returns a random number from 0 up to, but not including, 1
 */
export function createSampler(
  settings: Pick<TracingSettings, 'OTEL_TRACES_SAMPLER' | 'OTEL_TRACES_SAMPLER_ARG'>,
  draw: () => number = Math.random,
) {
  const { OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: ratio } = settings;
  const isDrawn = name.endsWith('traceidratio') ? () => draw() < ratio : () => true;
  const callersDecide = name.startsWith('parentbased_');
  return (traceparent: string | undefined): Sampled | undefined => {
    const caller = traceparent === undefined ? undefined : callerOf(traceparent);
    if (callersDecide && caller)
      return (caller.traceFlags & TraceFlags.SAMPLED) === 0 ? undefined : { parent: caller };
    if (!isDrawn()) return undefined;
    return caller ? { linked: caller } : {};
  };
}

/**
 * Parses a `traceparent` header (W3C Trace Context). The header `tracestate` is ignored: it would only be passed on to
 * other systems, and Gatehouse calls none.
 */
function callerOf(traceparent: string): SpanContext | undefined {
  const parsed = parseTraceParent(traceparent);
  return parsed && isSpanContextValid(parsed) ? { ...parsed, isRemote: true } : undefined;
}
