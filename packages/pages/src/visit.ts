import { type Header, type HttpRequest, isOtherOrigin } from '@gatehouse/http';
import { type CookieName, clearCookie, readCookie } from './http/cookies.ts';
import type { Site } from './site/site.ts';

/** A request for a page, before the server has looked for its session. */
export interface Visit {
  readonly request: HttpRequest;
  readonly site: Site;
  /**
   * Whether a page of this site certainly sent the request. The server accepts a form only if this is true. Browsers
   * send `Origin` with each POST, or say in `Sec-Fetch-Site` that the origin is the same.
   */
  readonly isFromSameOrigin: boolean;
  /**
   * Whether a page of another origin certainly caused the request, such as by a link. The page is then shown, but the
   * session is not extended, and no cookie is cleared. If the browser names no origin, `isFromSameOrigin` and
   * `isFromOtherOrigin` are both false: the user typed the address, or the browser is from before 2023.
   */
  readonly isFromOtherOrigin: boolean;
  /** The path without the query. */
  readonly path: string;
  /** The path with the query. */
  readonly target: string;
  /** The parameters of the path, still percent-encoded. An id contains no characters that are encoded. */
  readonly params: Readonly<Record<string, string>>;
  /** The parameters of the query. If a parameter is given several times, `get` returns the first value. */
  readonly query: URLSearchParams;
  /**
   * Returns the value of a cookie; undefined if there is none. If another origin caused the request, also undefined for
   * the cookies of `USED_ONCE`.
   */
  cookie(name: CookieName): string | undefined;
}

/** The cookies that one page sets for the next page. The next page clears them. */
const USED_ONCE: ReadonlySet<CookieName> = new Set(['notice', 'draft']);

export function createVisit(request: HttpRequest, site: Site): Visit {
  const { node, path, params } = request;
  const { origin, 'sec-fetch-site': fetchSite } = request.headers;
  const isForeign = origin === undefined ? isOtherOrigin(fetchSite) : origin !== site.origin;
  const query = request.query?.replace(/#.*$/s, '') ?? '';
  return {
    request,
    site,
    isFromSameOrigin: origin === undefined ? fetchSite === 'same-origin' : origin === site.origin,
    isFromOtherOrigin: isForeign,
    path,
    target: `${path}${query}`,
    params,
    get query() {
      return new URLSearchParams(query);
    },
    cookie: (name) => (isForeign && USED_ONCE.has(name) ? undefined : readCookie(node, site, name)),
  };
}

/** Returns the header that clears a cookie; no header if the visitor does not have the cookie. */
export function forget(visit: Visit, name: CookieName): readonly Header[] {
  return visit.cookie(name) === undefined ? [] : [clearCookie(visit.site, name)];
}
