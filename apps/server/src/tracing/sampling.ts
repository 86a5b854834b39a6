import { isSpanContextValid, type SpanContext, TraceFlags } from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';
import type { TracingSettings } from '../settings/tracing-settings.ts';

/** The decision about a request that is recorded. */
export interface Sampled {
  /** The caller's span, whose trace is continued. */
  readonly parent?: SpanContext;
  /** The caller's span, to which the request's own trace has a link. */
  readonly linked?: SpanContext;
}

/**
 * Decides which requests are recorded. Callers decide only if the setting says so. Otherwise neither their flag nor the
 * id of their trace counts, because callers choose both.
 *
 * @param draw a number from 0 up to, but not including, 1
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
 * Parses the W3C Trace Context. `tracestate` is ignored: it is for systems that the request is passed on to, and there
 * are none.
 */
function callerOf(traceparent: string): SpanContext | undefined {
  const parsed = parseTraceParent(traceparent);
  return parsed && isSpanContextValid(parsed) ? { ...parsed, isRemote: true } : undefined;
}
