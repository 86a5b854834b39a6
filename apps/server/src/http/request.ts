import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { H3Event } from 'h3';

declare module 'h3' {
  interface H3EventContext {
    requestId?: string;
    /** When the head of the request was read, by the monotonic clock. Noted only if something needs it. */
    startedAt?: number;
  }
}

/** The request as Node read it: header fields as they came, and the connection. */
export function nodeRequest(event: H3Event): IncomingMessage {
  const request = event.runtime?.node?.req;
  if (!request) throw new TypeError('only the Node server is supported');
  return request as IncomingMessage;
}

/** Node's response to the request. */
export function nodeResponse(event: H3Event): ServerResponse {
  return event.runtime?.node?.res as ServerResponse;
}

const FITTING = /^[A-Za-z0-9._-]{1,128}$/;

/** The caller's id for this request, if it sent a fitting one, else one of ours; the same each time. */
export function requestId(event: H3Event): string {
  const { context } = event;
  context.requestId ??= fittingId(nodeRequest(event)) ?? randomUUID();
  return context.requestId;
}

/** The id that the caller gave to its request, if it may stand in an answer. */
export function fittingId({ headers }: IncomingMessage): string | undefined {
  const id = headers['x-request-id'];
  return typeof id === 'string' && FITTING.test(id) ? id : undefined;
}

/** The values of a header field, one for each time that it came; Node itself keeps one or joins them. */
export function valuesOf({ rawHeaders }: IncomingMessage, field: string): readonly string[] {
  const values: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (name.length === field.length && name.toLowerCase() === field)
      values.push(rawHeaders[index + 1] as string);
  }
  return values;
}

export function noteStart(event: H3Event): void {
  event.context.startedAt = performance.now();
}

/** Since the head of the request was read. */
export function elapsedMs({ context: { startedAt } }: H3Event): number {
  return startedAt === undefined ? 0 : performance.now() - startedAt;
}
