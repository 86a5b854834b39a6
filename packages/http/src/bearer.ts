import { valuesOf } from '@gatehouse/front';
import type { HttpRequest } from './request.ts';

/** The token of a request, unverified; `none` without a token, as after a bare `Bearer`, or with another scheme. */
type BearerCredentials = 'none' | 'repeated' | { readonly token: string };

const SCHEME = 'bearer';

/**
 * Reads `Authorization: Bearer <token>` (RFC 6750 section 2.1). Two of these headers are an error, even if a proxy has
 * joined them: otherwise two readers could disagree on the token that counts.
 */
export function bearerCredentials({ headers, node }: HttpRequest): BearerCredentials {
  const { authorization } = headers;
  if (authorization === undefined) return 'none';
  if (valuesOf(node, 'authorization').length > 1) return 'repeated';
  if (authorization.slice(0, SCHEME.length).toLowerCase() !== SCHEME) return 'none';
  const rest = authorization.slice(SCHEME.length);
  // No token has a comma, so most requests are spared the search for a second scheme.
  if (rest.includes(',') && /,\s*bearer\s/i.test(rest)) return 'repeated';
  if (rest !== '' && rest[0] !== ' ' && rest[0] !== '\t') return 'none';
  const token = rest.replace(/^ +/, '');
  // Node has removed white space at the end.
  return token === '' ? 'none' : { token };
}
