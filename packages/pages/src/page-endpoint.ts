import type { Awaitable } from '@gatehouse/domain';
import type { Answer, Endpoint, Handler } from '@gatehouse/http';
import { errorAnswer, noSiteAnswer } from './http/error-page.ts';
import type { FindSite } from './site/site.ts';
import { createVisit, type Visit } from './visit.ts';

export type VisitHandler = (visit: Visit) => Awaitable<Answer>;

interface VisitHandlers {
  readonly GET: VisitHandler;
  readonly POST?: VisitHandler;
}

/**
 * Serves a page at the site's address only. At another address, the answer says why there is no page. Refuses a form
 * that a page of another site sent.
 */
export function createPageEndpoint(findSite: FindSite, { GET, POST }: VisitHandlers): Endpoint {
  const serve =
    (handle: VisitHandler, isForm: boolean): Handler =>
    (request) => {
      const site = findSite(request.node);
      if (typeof site === 'string') return noSiteAnswer(site, request);
      const visit = createVisit(request, site);
      if (isForm && !visit.isFromSameOrigin) return errorAnswer(visit, 'cross_site_request');
      return handle(visit);
    };
  return { GET: serve(GET, false), ...(POST && { POST: serve(POST, true) }) };
}
