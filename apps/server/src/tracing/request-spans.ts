import type { IncomingMessage, ServerResponse } from 'node:http';
import { DatabaseFault, DatabaseSetupFault, summaryOf } from '@gatehouse/postgres';
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, type Tracer, trace as traces } from '@opentelemetry/api';
import type { Sampled } from './sampling.ts';

/** The methods with their own name. All others share one name, because a client can send any method. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** The trace of a request that is recorded. */
export type RequestTrace = ReturnType<ReturnType<typeof createRequestSpans>>;

/**
 * Records requests and their statements under the names of OpenTelemetry's semantic conventions. The only text of a
 * client in a span is the method and the id of the request: no path, query, header, address, or value of a statement.
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

    // The response was sent or its connection is gone. This is also the end of a stream of events.
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
      /** Adds the route and the id of the request to its span. Without a route, the path is not served. */
      answered(route: string | undefined, requestId: string) {
        span.setAttribute('gatehouse.request_id', requestId);
        if (route !== undefined) span.setAttribute('http.route', route).updateName(`${name} ${route}`);
      },
      watch(sql: string) {
        // Work that a request began, such as storing the use of its token, may go on after the request.
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
