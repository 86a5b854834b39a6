import type { Server } from 'node:http';
import type { RequestHandler } from '@gatehouse/front';
import { answerUnreadable } from './raw-response.ts';

/** A browser behind several proxies sends some forty. */
const MAX_FIELDS = 200;

/**
 * Refuses requests with more header fields than clients send: each costs more than its bytes. Beyond its own limit, Node
 * refuses a request or, in older versions, drops fields that its parser may have heeded (CVE-2026-58044): with a limit of
 * one more, every request of which anything was dropped is refused here, and its connection closed.
 */
export function limitHeaderFields(server: Server, handle: RequestHandler): RequestHandler {
  server.maxHeadersCount = MAX_FIELDS + 1;
  return (request, response) => {
    const fields = request.rawHeaders.length / 2;
    if (fields > MAX_FIELDS) answerUnreadable('headers_too_large', request, response);
    else handle(request, response);
  };
}
