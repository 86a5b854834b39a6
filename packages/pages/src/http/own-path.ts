import { isCanonical } from '@gatehouse/http';

/** In characters. Longer paths would not fit in a form. */
const MAX_LENGTH = 2000;

/** A query without a fragment, in characters that every browser sends as they are. */
const QUERY = /^[A-Za-z0-9._~!$&'()*+,;=:@/?%[\]-]*$/;

/**
 * Returns the target if it is on this server: a path in its canonical spelling, maybe with a query. A sign-in redirects there.
 * An address with a host, in any spelling (`//evil.example`, `/\evil.example`), is no such target.
 */
export function ownPath(text: string | null | undefined): string | undefined {
  if (!text || text.length > MAX_LENGTH) return undefined;
  const start = text.indexOf('?');
  const path = start === -1 ? text : text.slice(0, start);
  const query = start === -1 ? '' : text.slice(start + 1);
  return isCanonical(path) && QUERY.test(query) ? text : undefined;
}
