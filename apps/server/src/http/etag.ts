import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** A strong entity tag: two bodies that differ have two. */
export function entityTag(body: string): string {
  return `"${hash('sha256', body, 'base64url').slice(0, 27)}"`;
}

/** Whether `If-None-Match` says that the caller has what has this tag (RFC 9110 section 13.1.2). */
export function isKnown(request: IncomingMessage, etag: string): boolean {
  const field = request.headers['if-none-match'];
  return field !== undefined && holds(field, etag);
}

/** Weak tags match as well: by the weak comparison, only what is between the quotes counts. */
function holds(field: string, etag: string): boolean {
  if (field.trim() === '*') return true;
  return field.match(/"[^"]*"/g)?.includes(etag) ?? false;
}
