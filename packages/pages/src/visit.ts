import type { Header, HttpRequest } from '@gatehouse/http';
import { isFromOtherOrigin } from './forms/same-origin.ts';
import { type CookieName, clearCookie, readCookie } from './http/cookies.ts';
import type { Site } from './site/site.ts';

/** A request for a page, before its session is known. */
export interface Visit {
  readonly request: HttpRequest;
  readonly site: Site;
  /** Whether a page of another origin caused it. Then the page is shown, and nothing else happens. */
  readonly isFromOtherOrigin: boolean;
  /** Without the query. */
  readonly path: string;
  /** With the query. */
  readonly target: string;
  /** The values of the path's parameters, still percent-encoded; ids need no encoding. */
  readonly params: Readonly<Record<string, string>>;
  /** If a parameter is given several times, `get` returns the first. */
  readonly query: URLSearchParams;
  /** Returns a cookie. If another origin caused the visit, those for the next page are left out. */
  cookie(name: CookieName): string | undefined;
}

/** Cookies that are cleared once a page has used them. */
const USED_ONCE: ReadonlySet<CookieName> = new Set(['notice', 'draft']);

export function createVisit(request: HttpRequest, site: Site): Visit {
  const { node, path, params } = request;
  const isForeign = isFromOtherOrigin(request, site);
  const query = request.query?.replace(/#.*$/s, '') ?? '';
  return {
    request,
    site,
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

/** Clears a cookie that the visitor has. */
export function forget(visit: Visit, name: CookieName): readonly Header[] {
  return visit.cookie(name) === undefined ? [] : [clearCookie(visit.site, name)];
}
