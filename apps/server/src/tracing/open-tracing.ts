// This module is imported only if a collector is set, because it loads OpenTelemetry's packages, which takes time and
// memory.
import type { RequestListener } from 'node:http';
import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { ok } from '@gatehouse/domain';
import type { HttpRequest } from '@gatehouse/http';
import { follow } from '@gatehouse/installation/settings';
import type { StatementWatch } from '@gatehouse/postgres';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { AlwaysOnSampler, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Log } from '../logging/line-kind.ts';
import {
  type CollectorHeaders,
  readHeadersFile,
  type TracingSettings,
} from '../settings/tracing-settings.ts';
import { VERSION } from '../start/version.ts';
import { createBoundedExport, SEND_WITHIN_MS, type SpanCounts } from './bounded-export.ts';
import { createRequestSpans } from './request-spans.ts';
import { currentTrace, inTrace } from './request-trace.ts';
import { createSampler } from './sampling.ts';

/**
 * How long a stopping server waits for the collector, in milliseconds. All other work of a stop leaves at least this
 * much of the time limit for a stop.
 */
const CLOSE_WITHIN_MS = 600;

/** Records traces of requests and sends them to a collector. A server without a collector does not load this code. */
export type Tracing = ReturnType<typeof openTracing>;

/**
 * Opens the tracing of this process. Spans are sent to the collector by OTLP over HTTP. The process connects to the
 * collector when it sends the first span.
 */
export function openTracing(endpoint: string, settings: TracingSettings, log: Log) {
  const exporter = new OTLPTraceExporter({
    url: new URL('v1/traces', endpoint.endsWith('/') ? endpoint : `${endpoint}/`).href,
    headers: createHeaders(settings, (line) => log.warn(line)),
    timeoutMillis: SEND_WITHIN_MS,
  });
  const sending = createBoundedExport(
    exporter,
    createExportLog(log, () => sending.spans),
  );
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': settings.OTEL_SERVICE_NAME,
      'service.version': VERSION,
      'host.name': hostname(),
      'process.pid': process.pid,
    }),
    // Every span is sent. Requests that are not sampled have no span at all.
    sampler: new AlwaysOnSampler(),
    spanProcessors: [sending.processor],
  });
  const begin = createRequestSpans(provider.getTracer('gatehouse', VERSION));
  const sample = createSampler(settings);
  return {
    /** Returns a handler that also records traces of the requests that are sampled. */
    traced:
      (handle: RequestListener): RequestListener =>
      (request, response) => {
        const { traceparent } = request.headers;
        const sampled = sample(typeof traceparent === 'string' ? traceparent : undefined);
        if (sampled && !sending.hasRoom()) sending.leftOut();
        const trace = sampled && sending.hasRoom() ? begin(sampled, request, response) : undefined;
        inTrace(trace, () => handle(request, response));
      },
    /** Adds the route and the id of an answered request to its trace. */
    answered: ({ route, id }: HttpRequest) => currentTrace()?.answered(route, id),
    /** Records the SQL statements that run for requests. */
    watch: ((sql) => currentTrace()?.watch(sql)) satisfies StatementWatch,
    spans: (): SpanCounts => sending.spans,
    /** Sends the waiting spans, for at most `CLOSE_WITHIN_MS`. */
    async close() {
      const late = delay(CLOSE_WITHIN_MS, undefined, { ref: false });
      await Promise.race([provider.shutdown().catch(() => undefined), late]);
    },
  };
}

/** The time between two log lines while the collector stays unavailable, in milliseconds. */
const SAY_EVERY_MS = 60_000;

/**
 * Logs when traces cannot be sent, and when they are sent again. Text from the collector is not logged, because it may
 * be anything.
 */
export function createExportLog(
  log: Log,
  spans: () => SpanCounts,
  now: () => number = () => performance.now(),
) {
  let saidAt: number | undefined;
  let before = 0;
  const dropped = () => {
    const { queue_full, not_sent } = spans();
    const since = queue_full + not_sent - before;
    before += since;
    return since;
  };
  return (problem?: Error): void => {
    if (!problem) {
      if (saidAt !== undefined) log.info({ dropped: dropped() }, 'traces are sent again');
      saidAt = undefined;
    } else if (saidAt === undefined || now() - saidAt >= SAY_EVERY_MS) {
      saidAt = now();
      log.warn({ dropped: dropped(), reason: reasonOf(problem) }, 'traces cannot be sent');
    }
  };
}

function reasonOf(problem: Error): string {
  const code = 'code' in problem ? problem.code : undefined;
  if (typeof code === 'number') return `the collector answered ${code}`;
  return typeof code === 'string' ? code : problem.message;
}

type Settings = Pick<TracingSettings, 'OTEL_EXPORTER_OTLP_HEADERS' | 'OTEL_EXPORTER_OTLP_HEADERS_FILE'>;

/**
 * Returns a function that returns the headers for the next message to the collector. If the headers are in a file, the
 * function reads the file each time, because it may have been replaced.
 *
 * @param onIgnored called with a line for the log when the file cannot be used. If each new attempt fails for the same
 * reason, it is not called again
 */
export function createHeaders(settings: Settings, onIgnored: (line: string) => void) {
  const { OTEL_EXPORTER_OTLP_HEADERS: given = {}, OTEL_EXPORTER_OTLP_HEADERS_FILE: file } = settings;
  const readAgain = (previous: CollectorHeaders) => {
    const read = file?.isRegular ? readHeadersFile(file.path) : ok({ value: previous });
    return read.ok ? ok(read.value.value) : read;
  };
  const current = follow(file?.value ?? given, readAgain, (problem) =>
    onIgnored(`OTEL_EXPORTER_OTLP_HEADERS_FILE ${problem}: its previous headers are used`),
  );
  // The function returns a copy, because the exporter adds its own headers to it.
  return async (): Promise<Record<string, string>> => ({ ...current() });
}
