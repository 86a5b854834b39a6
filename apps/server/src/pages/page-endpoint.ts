import { andThen } from '@gatehouse/domain';
import type { H3Event } from 'h3';
import { type Answer, withHeaders } from '../http/answer.ts';
import { nodeRequest } from '../http/request.ts';
import type { Endpoint } from '../http/routed-app.ts';
import { isFromSameOrigin } from './forms/same-origin.ts';
import { noSiteAnswer, problemAnswer } from './http/error-page.ts';
import type { FindSite } from './site/site.ts';
import { createVisit, type Visit } from './visit.ts';

type VisitHandler = (visit: Visit) => Answer | Promise<Answer>;

interface VisitHandlers {
  readonly GET: VisitHandler;
  readonly POST?: VisitHandler;
}

/** Serves a page where pages may be shown, and elsewhere says why not. Its forms are sent by pages of ours alone. */
export function createPageEndpoint(findSite: FindSite, { GET, POST }: VisitHandlers): Endpoint {
  const admitted = (handler: VisitHandler) => (event: H3Event) => {
    const request = nodeRequest(event);
    const site = findSite(request);
    if (typeof site === 'string') return noSiteAnswer(site, request, event);
    const visit = createVisit(event, site);
    return andThen(handler(visit), (answer) => withHeaders(answer, visit.carried));
  };
  const fromOurPages = (handler: VisitHandler) => (visit: Visit) =>
    isFromSameOrigin(visit.request, visit.site) ? handler(visit) : problemAnswer(visit, 'cross_site_request');
  return { GET: admitted(GET), ...(POST && { POST: admitted(fromOurPages(POST)) }) };
}
