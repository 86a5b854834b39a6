import type { IncomingMessage, ServerResponse } from 'node:http';
import { DatabaseFault, DatabaseSetupFault, summaryOf } from '@gatehouse/postgres';
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, type Tracer, trace as traces } from '@opentelemetry/api';
import type { RequestTrace } from './request-trace.ts';
import type { Sampled } from './sampling.ts';

/** Others would make a name of their own out of whatever a client sends. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

type BeginRequest = (sampled: Sampled, request: IncomingMessage, response: ServerResponse) => RequestTrace;

/**
 * Records requests and their statements under the names of OpenTelemetry's semantic conventions. Nothing that a client writes
 * stands in a span but its method and the id of its request: no path, no query, no header, no address, and no value of a
 * statement.
 */
export function createRequestSpans(tracer: Tracer): BeginRequest {
  return ({ parent, linked }, request, response) => {
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
    // As the conventions have it, where no route is known.
    const name = method === '_OTHER' ? 'HTTP' : method;
    const span = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes, links }, context);
    const inRequest = traces.setSpan(ROOT_CONTEXT, span);
    let hasEnded = false;

    // When the answer has gone out, or its connection is gone: the end of a stream of events, too.
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
      answered(route, requestId) {
        span.setAttribute('gatehouse.request_id', requestId);
        if (route !== undefined) span.setAttribute('http.route', route).updateName(`${name} ${route}`);
      },
      watch(sql) {
        // What a request has begun, such as to store that its token was used, may be done after it.
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
        return (fault) => {
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
