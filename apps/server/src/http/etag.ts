import { hash } from 'node:crypto';
import type { H3Event } from 'h3';
import { type Answer, type Header, jsonAnswer } from './answer.ts';
import { nodeRequest } from './exchange.ts';

/** A strong entity tag: two bodies that differ have two. */
export function entityTag(body: string): string {
  return `"${hash('sha256', body, 'base64url').slice(0, 27)}"`;
}

/** The answer with its tag, or 304 where `If-None-Match` says that the caller has it (RFC 9110 section 13.1.2). */
export function taggedAnswer(event: H3Event, body: string, ...headers: readonly Header[]): Answer {
  const etag = entityTag(body);
  const tagged = jsonAnswer(body, ...headers, ['etag', etag]);
  const ifNoneMatch = nodeRequest(event).headers['if-none-match'];
  if (ifNoneMatch === undefined || !holds(ifNoneMatch, etag)) return tagged;
  return { status: 304, headers: [...headers, ['etag', etag]], body: null };
}

/** Weak tags match as well: by the weak comparison, only what is between the quotes counts. */
function holds(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.match(/"[^"]*"/g)?.includes(etag) ?? false;
}
