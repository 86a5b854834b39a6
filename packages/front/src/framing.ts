import type { IncomingMessage, ServerResponse } from 'node:http';
import { valuesOf } from './header-fields.ts';

/**
 * Matches a host with an optional port as in RFC 3986, but without commas: with a comma, a proxy may have joined two
 * `Host` headers.
 */
const HOST = /^(?:\[[0-9A-Fa-fv:.]+\]|(?:[A-Za-z0-9._~!$&'()*+;=-]|%[0-9A-Fa-f]{2})*)(?::\d*)?$/;

/**
 * Whether a request has to be refused as malformed, because its `Host` header is invalid, or because it is ambiguous
 * where its body ends.
 */
export function isMalformed(request: IncomingMessage): boolean {
  return hasFaultyFraming(request) || !hasOneHost(request);
}

/**
 * Closes the connection after the response if it is ambiguous where the next request begins. This is also done if the
 * request has an `Upgrade` header: Node drops bytes that arrived with such a request, and later responses could go to
 * the wrong requests.
 */
export function closeAfterAmbiguousEnd(request: IncomingMessage, response: ServerResponse): void {
  if (hasFaultyFraming(request) || request.headers.upgrade !== undefined) response.shouldKeepAlive = false;
}

/**
 * Whether a request of HTTP/1.0 has `Transfer-Encoding`. HTTP/1.0 has no chunks, so proxies and servers could disagree
 * where the body ends (RFC 9112 section 6.1).
 */
function hasFaultyFraming({ headers, httpVersionMinor }: IncomingMessage): boolean {
  return httpVersionMinor === 0 && headers['transfer-encoding'] !== undefined;
}

/** Whether the request has exactly one valid `Host` header, or none in HTTP/1.0 (RFC 9112 section 3.2). */
function hasOneHost(request: IncomingMessage): boolean {
  const hosts = valuesOf(request, 'host');
  if (hosts.length === 0) return request.httpVersionMinor === 0;
  return hosts.length === 1 && HOST.test(hosts[0] as string);
}
