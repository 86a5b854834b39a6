import type { IncomingMessage, ServerResponse } from 'node:http';
import { valuesOf } from './header-fields.ts';

/** A host as in RFC 3986, but without commas: a proxy may have joined two `Host` headers by a comma. */
const HOST = /^(?:\[[0-9A-Fa-fv:.]+\]|(?:[A-Za-z0-9._~!$&'()*+;=-]|%[0-9A-Fa-f]{2})*)(?::\d*)?$/;

/** Whether a request has to be refused as malformed, because its host or its framing is faulty. */
export function isMalformed(request: IncomingMessage): boolean {
  return hasFaultyFraming(request) || !hasOneHost(request);
}

/**
 * Closes the connection after the response if it is ambiguous where the next request begins. If a request asks to switch
 * protocols, Node drops the bytes that came with it, and later responses would go to the wrong requests.
 */
export function closeAfterAmbiguousEnd(request: IncomingMessage, response: ServerResponse): void {
  if (hasFaultyFraming(request) || request.headers.upgrade !== undefined) response.shouldKeepAlive = false;
}

/** RFC 9112 section 6.1: HTTP/1.0 has no chunks, so where the body ends is ambiguous. */
function hasFaultyFraming({ headers, httpVersionMinor }: IncomingMessage): boolean {
  return httpVersionMinor === 0 && headers['transfer-encoding'] !== undefined;
}

/** RFC 9112 section 3.2: one in HTTP/1.1, never two, and a host (RFC 3986 section 3.2.2) with a port or without. */
function hasOneHost(request: IncomingMessage): boolean {
  const hosts = valuesOf(request, 'host');
  if (hosts.length === 0) return request.httpVersionMinor === 0;
  return hosts.length === 1 && HOST.test(hosts[0] as string);
}
