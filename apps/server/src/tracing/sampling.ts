import { isSpanContextValid, type SpanContext, TraceFlags } from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';
import type { TracingSettings } from '../settings/tracing-settings.ts';

/** What is decided of a request before anything of it is recorded. */
export interface Sampled {
  /** The caller's span, whose trace is continued. */
  readonly parent?: SpanContext;
  /** The caller's span, to which the request's own trace has a link. */
  readonly linked?: SpanContext;
}

type Sampler = (traceparent: string | undefined) => Sampled | undefined;

/**
 * Decides which requests are recorded. Unless the setting says that callers decide, they cannot have their requests recorded,
 * nor keep them from it: neither their flag nor their trace's id counts, because callers choose both.
 *
 * @param draw a number from 0 up to, but not including, 1
 */
export function createSampler(
  settings: Pick<TracingSettings, 'OTEL_TRACES_SAMPLER' | 'OTEL_TRACES_SAMPLER_ARG'>,
  draw: () => number = Math.random,
): Sampler {
  const { OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: ratio } = settings;
  const isDrawn = name.endsWith('traceidratio') ? () => draw() < ratio : () => true;
  const callersDecide = name.startsWith('parentbased_');
  return (traceparent) => {
    const caller = traceparent === undefined ? undefined : callerOf(traceparent);
    if (callersDecide && caller)
      return (caller.traceFlags & TraceFlags.SAMPLED) === 0 ? undefined : { parent: caller };
    if (!isDrawn()) return undefined;
    return caller ? { linked: caller } : {};
  };
}

/** W3C Trace Context. Its `tracestate` is left alone: it is for systems that the request is passed on to, and there are none. */
function callerOf(traceparent: string): SpanContext | undefined {
  const parsed = parseTraceParent(traceparent);
  return parsed && isSpanContextValid(parsed) ? { ...parsed, isRemote: true } : undefined;
}
