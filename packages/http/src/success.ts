import { hash } from 'node:crypto';
import type { Route } from '@gatehouse/extension-kit/http';
import { type Answer, type Header, JSON_TYPE } from './answer.ts';
import type { HttpRequest } from './request.ts';
import { eventsAnswer, type WriteText } from './text-stream.ts';

/**
 * The parts of an answer that are cached. If whole answers were cached, each organization would take 470 bytes more.
 */
interface Rendered {
  readonly body: string | null;
  readonly etag: string | undefined;
}

/** The functions that make the body and the headers of an answer from `value`, the result of a use case. */
export interface Making<Value> {
  toBody(value: Value): unknown;
  toHeaders?(value: Value): Readonly<Record<string, string>>;
  toEvents?(value: Value): WriteText;
}

/**
 * Creates the function that makes the answers of a route that succeeds. If the route has entity tags or is constant,
 * the body for each value is serialized and hashed only once. So the values of such a route must be objects that never
 * change.
 */
export function createSucceed<Value>(
  { success: { status, cacheControl, etag: isTagged, body: schema }, constant }: Route,
  { toBody, toHeaders, toEvents }: Making<Value>,
): (request: HttpRequest, value: Value) => Answer {
  const cached: Header = ['cache-control', cacheControl];
  const headers = schema ? [JSON_TYPE, cached] : [cached];

  function render(value: Value): Rendered {
    const body = schema ? JSON.stringify(toBody(value)) : null;
    return { body, etag: isTagged && body !== null ? entityTag(body) : undefined };
  }

  function headersOf(value: Value): readonly Header[] {
    return toHeaders ? [...headers, ...Object.entries(toHeaders(value))] : headers;
  }

  function answer(request: HttpRequest, value: Value, { body, etag }: Rendered): Answer {
    if (etag === undefined) return { status, headers: headersOf(value), body };
    const tag: Header = ['etag', etag];
    // The caller already has the body, so only its entity tag is sent.
    if (isKnown(request, etag)) return { status: 304, headers: [cached, tag], body: null };
    return { status, headers: [...headersOf(value), tag], body };
  }
  if (toEvents) return (_, value) => eventsAnswer(status, headersOf(value), toEvents(value));
  if (!isTagged && !constant) return (request, value) => answer(request, value, render(value));

  const rendered = new WeakMap<object, Rendered>();
  return (request, value) => {
    let found = rendered.get(value as object);
    if (!found) {
      found = render(value);
      rendered.set(value as object, found);
    }
    return answer(request, value, found);
  };
}

/** Returns a strong entity tag of a body: bodies with any difference have different tags. */
function entityTag(body: string): string {
  // `JSON.stringify` adds the quotes, because it makes a new string. A concatenated string would keep its parts in
  // memory, which takes 110 bytes more for each organization.
  return JSON.stringify(hash('sha256', body, 'base64url').slice(0, 27));
}

/**
 * Whether `If-None-Match` says that the caller has the body with this tag (RFC 9110 section 13.1.2). A weak tag matches
 * as well, because only the text between the quotes is compared (weak comparison).
 */
function isKnown({ headers }: HttpRequest, etag: string): boolean {
  const field = headers['if-none-match'];
  return field !== undefined && (field.trim() === '*' || (field.match(/"[^"]*"/g)?.includes(etag) ?? false));
}
