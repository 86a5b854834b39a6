import { isCanonical } from '@gatehouse/http';

/** In characters; longer ones would not fit in a form. */
const MAX_LENGTH = 2000;

/** A query without a fragment: what a browser sends, and nothing that it would read as something else. */
const QUERY = /^[A-Za-z0-9._~!$&'()*+,;=:@/?%[\]-]*$/;

/**
 * Returns a target on this server, such as one that a sign-in leads back to, if it is one: a path in its canonical spelling, and perhaps a query.
 * Addresses with a host in any spelling (`//evil.example`, `/\evil.example`) are none.
 */
export function ownPath(text: string | null | undefined): string | undefined {
  if (!text || text.length > MAX_LENGTH) return undefined;
  const start = text.indexOf('?');
  const path = start === -1 ? text : text.slice(0, start);
  const query = start === -1 ? '' : text.slice(start + 1);
  return isCanonical(path) && QUERY.test(query) ? text : undefined;
}
