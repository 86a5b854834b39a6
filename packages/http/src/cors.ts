import type { Header } from './answer.ts';
import type { HttpRequest } from './request.ts';

/**
 * Returns the headers that tell a browser whether a page may send the request and read the answer (WHATWG Fetch,
 * section 3.3).
 */
export type CorsHeaders = (request: HttpRequest) => readonly Header[];

const VARY: Header = ['vary', 'Origin'];
const EXPOSED: Header = [
  'access-control-expose-headers',
  'ETag, Retry-After, WWW-Authenticate, X-Request-Id, X-Token-Expires-At',
];
const PREFLIGHT: readonly Header[] = [
  ['access-control-allow-methods', 'GET, HEAD, POST'],
  ['access-control-allow-headers', 'Authorization, Content-Type, If-None-Match, X-Request-Id'],
  ['access-control-max-age', '600'],
];

export function createCorsHeaders(origins: readonly string[]): CorsHeaders {
  const allowed = new Set(origins);
  return ({ headers, method }) => {
    const { origin, 'access-control-request-method': wanted } = headers;
    if (origin === undefined || !allowed.has(origin)) return [VARY];
    const isPreflight = method === 'OPTIONS' && wanted !== undefined;
    return [VARY, ['access-control-allow-origin', origin], ...(isPreflight ? PREFLIGHT : [EXPOSED])];
  };
}
