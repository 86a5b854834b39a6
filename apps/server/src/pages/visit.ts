import type { IncomingMessage } from 'node:http';
import type { H3Event } from 'h3';
import type { Header } from '../http/answer.ts';
import { queryOf } from '../http/query.ts';
import { nodeRequest } from '../http/request.ts';
import { isFromOtherOrigin } from './forms/same-origin.ts';
import { type CookieName, readCookie } from './http/cookies.ts';
import type { Site } from './site/site.ts';

/** A request for a page, before it is known whose it is. */
export interface Visit {
  readonly event: H3Event;
  readonly request: IncomingMessage;
  readonly site: Site;
  /** Whether a page of another origin caused it: the page is shown, and nothing else happens. */
  readonly isFromOtherOrigin: boolean;
  /** Without the query. */
  readonly path: string;
  /** With the query. */
  readonly target: string;
  /** The parts of the path that vary, still percent-encoded: ids need no encoding. */
  readonly params: Readonly<Record<string, string>>;
  /** Of several parameters of one name, `get` returns the first. */
  readonly query: URLSearchParams;
  /** Leaves out what waits for the next page of ours if another origin caused the visit. */
  cookie(name: CookieName): string | undefined;
  /** Headers that go with the response, whatever becomes of the request from here. */
  readonly carried: Header[];
}

declare module 'h3' {
  interface H3EventContext {
    /** The `carried` of the visit. */
    carried?: Header[];
  }
}

/** Cookies that the next page uses up. */
const USED_ONCE: ReadonlySet<CookieName> = new Set(['notice', 'draft']);

export function createVisit(event: H3Event, site: Site): Visit {
  const request = nodeRequest(event);
  const path = event.url.pathname;
  const isForeign = isFromOtherOrigin(request, site);
  const query = queryOf(request)?.replace(/#.*$/s, '') ?? '';
  event.context.carried ??= [];
  const { carried } = event.context;
  return {
    event,
    request,
    site,
    isFromOtherOrigin: isForeign,
    path,
    target: `${path}${query}`,
    params: event.context.params ?? {},
    carried,
    get query() {
      return new URLSearchParams(query);
    },
    cookie: (name) => (isForeign && USED_ONCE.has(name) ? undefined : readCookie(request, site, name)),
  };
}
