import { valuesOf } from '@gatehouse/front';
import type { HttpRequest } from './request.ts';

/** The token of a request, whatever it is worth; `none` where there is none, as after a bare `Bearer`, or the scheme is another. */
type BearerCredentials = 'none' | 'repeated' | { readonly token: string };

const SCHEME = 'bearer';

/**
 * Reads `Authorization: Bearer <token>` (RFC 6750 section 2.1). Two of that header are an error even if a proxy
 * has joined them: which of the tokens counted would otherwise depend on who looks.
 */
export function bearerCredentials({ headers, node }: HttpRequest): BearerCredentials {
  const { authorization } = headers;
  if (authorization === undefined) return 'none';
  if (valuesOf(node, 'authorization').length > 1) return 'repeated';
  if (authorization.slice(0, SCHEME.length).toLowerCase() !== SCHEME) return 'none';
  const rest = authorization.slice(SCHEME.length);
  // No token has a comma: looking for one first spares every request the search for a scheme behind it.
  if (rest.includes(',') && /,\s*bearer\s/i.test(rest)) return 'repeated';
  if (rest !== '' && rest[0] !== ' ' && rest[0] !== '\t') return 'none';
  const token = rest.replace(/^ +/, '');
  // Node has cut white space at the end.
  return token === '' ? 'none' : { token };
}
