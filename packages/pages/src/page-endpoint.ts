import type { Awaitable } from '@gatehouse/domain';
import type { Answer, Endpoint, Handler } from '@gatehouse/http';
import { isFromSameOrigin } from './forms/same-origin.ts';
import { noSiteAnswer, problemAnswer } from './http/error-page.ts';
import type { FindSite } from './site/site.ts';
import { createVisit, type Visit } from './visit.ts';

type VisitHandler = (visit: Visit) => Awaitable<Answer>;

interface VisitHandlers {
  readonly GET: VisitHandler;
  readonly POST?: VisitHandler;
}

/** Serves a page at addresses where pages may be shown; elsewhere it says why not. It accepts forms of our own pages only. */
export function createPageEndpoint(findSite: FindSite, { GET, POST }: VisitHandlers): Endpoint {
  const serve =
    (handle: VisitHandler, isForm: boolean): Handler =>
    (request) => {
      const site = findSite(request.node);
      if (typeof site === 'string') return noSiteAnswer(site, request);
      const visit = createVisit(request, site);
      if (isForm && !isFromSameOrigin(request, site)) return problemAnswer(visit, 'cross_site_request');
      return handle(visit);
    };
  return { GET: serve(GET, false), ...(POST && { POST: serve(POST, true) }) };
}
