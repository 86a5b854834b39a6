import { hash } from 'node:crypto';
import type { H3Event } from 'h3';
import { type Answer, type Header, jsonAnswer } from './answer.ts';
import { nodeRequest } from './exchange.ts';

/** A strong entity tag: two bodies that differ have two. */
export function entityTag(body: string): string {
  return `"${hash('sha256', body, 'base64url').slice(0, 27)}"`;
}

/** An answer, its tag, and what takes its place for a caller who has it already. */
export interface TaggedAnswer {
  readonly etag: string;
  readonly whole: Answer;
  readonly notModified: Answer;
}

export function taggedAnswer(body: string, ...headers: readonly Header[]): TaggedAnswer {
  const etag = entityTag(body);
  const tagged = [...headers, ['etag', etag] as const];
  return {
    etag,
    whole: jsonAnswer(body, ...tagged),
    notModified: { status: 304, headers: tagged, body: null },
  };
}

/** 304 where `If-None-Match` says that the caller has it (RFC 9110 section 13.1.2). */
export function ifNoneMatch(event: H3Event, { etag, whole, notModified }: TaggedAnswer): Answer {
  const field = nodeRequest(event).headers['if-none-match'];
  return field !== undefined && holds(field, etag) ? notModified : whole;
}

/** Weak tags match as well: by the weak comparison, only what is between the quotes counts. */
function holds(field: string, etag: string): boolean {
  if (field.trim() === '*') return true;
  return field.match(/"[^"]*"/g)?.includes(etag) ?? false;
}
