import type { IncomingMessage, ServerResponse } from 'node:http';
import { DatabaseFault, DatabaseSetupFault, summaryOf } from '@gatehouse/postgres';
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, type Tracer, trace as traces } from '@opentelemetry/api';
import type { Sampled } from './sampling.ts';

/**
 * The methods that appear in spans. All other methods appear as `_OTHER`, because a client can send any text as a
 * method.
 */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** The trace of one recorded request: its id, and the functions that add to it. */
export type RequestTrace = ReturnType<ReturnType<typeof createRequestSpans>>;

/**
 * Creates the function that records a request and its SQL statements, with the names of OpenTelemetry's semantic
 * conventions. A span contains no path, query, header, address, or value in a statement. The only text from a client in
 * a span is the method and the id of the request.
 */
export function createRequestSpans(tracer: Tracer) {
  return ({ parent, linked }: Sampled, request: IncomingMessage, response: ServerResponse) => {
    const method = METHODS.has(request.method ?? '') ? (request.method as string) : '_OTHER';
    const { localAddress, localPort } = request.socket;
    const attributes = {
      'http.request.method': method,
      'url.scheme': 'http',
      'network.protocol.version': request.httpVersion,
      ...(localAddress !== undefined && { 'server.address': localAddress, 'server.port': localPort }),
    };
    const context = parent ? traces.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
    const links = linked ? [{ context: linked }] : [];
    // The name that OpenTelemetry's conventions give a request without a route.
    const name = method === '_OTHER' ? 'HTTP' : method;
    const span = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes, links }, context);
    const inRequest = traces.setSpan(ROOT_CONTEXT, span);
    let hasEnded = false;

    // `close` is emitted when the response was sent, when its connection was lost, or when a stream of events ended.
    response.once('close', () => {
      hasEnded = true;
      if (response.headersSent) {
        const { statusCode: status } = response;
        span.setAttribute('http.response.status_code', status);
        if (status >= 500)
          span.setAttribute('error.type', String(status)).setStatus({ code: SpanStatusCode.ERROR });
      }
      span.end();
    });

    return {
      traceId: span.spanContext().traceId,
      /** Adds the route and the id of the request to its span. `route` is undefined if the path is not served. */
      answered(route: string | undefined, requestId: string) {
        span.setAttribute('gatehouse.request_id', requestId);
        if (route !== undefined) span.setAttribute('http.route', route).updateName(`${name} ${route}`);
      },
      watch(sql: string) {
        // Work that a request started, such as storing the use of its token, may continue after the response. Its
        // statements are not recorded.
        if (hasEnded) return undefined;
        const { operation, summary } = summaryOf(sql);
        const statement = tracer.startSpan(
          summary,
          {
            kind: SpanKind.CLIENT,
            attributes: {
              'db.system.name': 'postgresql',
              'db.operation.name': operation,
              'db.query.summary': summary,
            },
          },
          inRequest,
        );
        return (fault?: unknown) => {
          if (fault !== undefined) {
            const code =
              fault instanceof DatabaseFault || fault instanceof DatabaseSetupFault ? fault.code : undefined;
            if (code !== undefined) statement.setAttribute('db.response.status_code', code);
            statement.setAttribute('error.type', code ?? (fault as Error).name);
            statement.setStatus({ code: SpanStatusCode.ERROR });
          }
          statement.end();
        };
      },
    };
  };
}
