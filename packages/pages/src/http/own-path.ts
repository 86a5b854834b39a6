import { isCanonical } from '@gatehouse/http';
import { hasSecret } from './secret-in-address.ts';

/**
 * The maximum length of a target, in characters. The sign-in form contains the target in a hidden field, and the size
 * of forms is limited.
 */
const MAX_LENGTH = 2000;

/** Matches a query that has no fragment, and no characters that some browsers would encode. */
const QUERY = /^[A-Za-z0-9._~!$&'()*+,;=:@/?%[\]-]*$/;

/**
 * Returns the target of the redirect after a sign-in: a path of this server in its canonical spelling, possibly with a
 * query. Returns undefined for any other text, such as an address with a host (`//evil.example`, `/\evil.example`) or
 * with a token, which the sign-in page and the redirect would repeat.
 */
export function ownPath(text: string | null | undefined): string | undefined {
  if (!text || text.length > MAX_LENGTH || hasSecret(text)) return undefined;
  const start = text.indexOf('?');
  const path = start === -1 ? text : text.slice(0, start);
  const query = start === -1 ? '' : text.slice(start + 1);
  return isCanonical(path) && QUERY.test(query) ? text : undefined;
}
