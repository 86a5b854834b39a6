// Only this module, and the modules beside it that it imports, load OpenTelemetry's packages.
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

/** Longest wait for the collector at the end, in milliseconds: the rest of the time in which a server stops. */
const CLOSE_WITHIN_MS = 600;

/** Traces requests. A server without a collector loads none of it. */
export type Tracing = ReturnType<typeof openTracing>;

/**
 * Opens the tracing of this process. It sends spans to a collector by OTLP over HTTP, and connects for the first span.
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
    // Requests that are not recorded have no span at all.
    sampler: new AlwaysOnSampler(),
    spanProcessors: [sending.processor],
  });
  const begin = createRequestSpans(provider.getTracer('gatehouse', VERSION));
  const sample = createSampler(settings);
  return {
    /** Returns a handler that records its requests. */
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
    /** Records the statements that are made for requests. */
    watch: ((sql) => currentTrace()?.watch(sql)) satisfies StatementWatch,
    spans: (): SpanCounts => sending.spans,
    /** Sends the waiting spans, for a moment at most. */
    async close() {
      const late = delay(CLOSE_WITHIN_MS, undefined, { ref: false });
      await Promise.race([provider.shutdown().catch(() => undefined), late]);
    },
  };
}

/** The interval of lines about a collector that stays unavailable, in milliseconds. */
const SAY_EVERY_MS = 60_000;

/**
 * Logs when traces cannot be sent, and when they can be again. Logs no text of the collector, which may be anything.
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
 * Returns a function that gives the headers of each message. It reads a file each time, because the file may have been
 * replaced.
 *
 * @param onIgnored called with a line for the log when the file cannot be used, once for each reason
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
  // The exporter adds its own headers to this copy.
  return async (): Promise<Record<string, string>> => ({ ...current() });
}
