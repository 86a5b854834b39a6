// The only module that loads OpenTelemetry's packages, with those beside it that it imports.
import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { AlwaysOnSampler, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Log } from '../logging/line-kind.ts';
import type { TracingSettings } from '../settings/tracing-settings.ts';
import { VERSION } from '../start/version.ts';
import { createBoundedExport, SEND_WITHIN_MS } from './bounded-export.ts';
import { createExportLog } from './export-log.ts';
import { createHeaders } from './headers.ts';
import { createRequestSpans } from './request-spans.ts';
import { currentTrace, inTrace } from './request-trace.ts';
import { createSampler } from './sampling.ts';
import type { Tracing } from './tracing.ts';

/** Longest wait for the collector at the end, in milliseconds: the rest of the time in which a server stops. */
const CLOSE_WITHIN_MS = 600;

/**
 * Opens the tracing of this process. It sends spans to a collector by OTLP over HTTP, and connects for the first span.
 */
export function openTracing(endpoint: string, settings: TracingSettings, log: Log): Tracing {
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
    traced: (handle) => (request, response) => {
      const { traceparent } = request.headers;
      const sampled = sample(typeof traceparent === 'string' ? traceparent : undefined);
      if (sampled && !sending.hasRoom()) sending.leftOut();
      const trace = sampled && sending.hasRoom() ? begin(sampled, request, response) : undefined;
      inTrace(trace, () => handle(request, response));
    },
    answered: ({ route, id }) => currentTrace()?.answered(route, id),
    watch: (sql) => currentTrace()?.watch(sql),
    spans: () => sending.spans,
    async close() {
      const late = delay(CLOSE_WITHIN_MS, undefined, { ref: false });
      await Promise.race([provider.shutdown().catch(() => undefined), late]);
    },
  };
}
