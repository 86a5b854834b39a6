import type { IncomingMessage } from 'node:http';
import type { H3Event } from 'h3';
import { queryOf } from '../http/query.ts';
import { nodeRequest } from '../http/request.ts';
import { type CookieName, readCookie } from './http/cookies.ts';
import type { Site } from './site/site.ts';

/** A request for a page, before it is known whose it is. */
export interface Visit {
  readonly event: H3Event;
  readonly request: IncomingMessage;
  readonly site: Site;
  /** Without the query. */
  readonly path: string;
  /** With the query. */
  readonly target: string;
  /** The parts of the path that vary, still percent-encoded: ids need no encoding. */
  readonly params: Readonly<Record<string, string>>;
  /** Of several parameters of one name, `get` returns the first. */
  readonly query: URLSearchParams;
  cookie(name: CookieName): string | undefined;
}

export function createVisit(event: H3Event, site: Site): Visit {
  const request = nodeRequest(event);
  const path = event.url.pathname;
  const query = queryOf(request)?.replace(/#.*$/s, '') ?? '';
  return {
    event,
    request,
    site,
    path,
    target: `${path}${query}`,
    params: event.context.params ?? {},
    get query() {
      return new URLSearchParams(query);
    },
    cookie: (name) => readCookie(request, site, name),
  };
}
