import type { Endpoint } from '@gatehouse/http';
import { errorAnswer } from '../http/error-page.ts';
import { ownPath } from '../http/own-path.ts';
import { redirectAnswer } from '../http/page-answer.ts';
import { createPageEndpoint } from '../page-endpoint.ts';
import type { PagePorts } from '../ports.ts';
import type { Visit } from '../visit.ts';
import { type BeginPorts, beginAttempt } from './begin-attempt.ts';
import { refusedAnswer } from './refused-answer.ts';

/**
 * `/sign-in/with/{provider}`: leads to the identity provider. Other sites may link here, such as the list of
 * applications of a provider: the attempt is of this browser, and decides nothing yet. But an image or a frame of
 * another site does not begin one: each counts toward the limit of the visitor's address, so a site could lock out
 * all who share it.
 */
export const signInWithEndpoint = (ports: BeginPorts & Pick<PagePorts, 'findSite'>): Endpoint =>
  createPageEndpoint(ports.findSite, {
    async GET(visit) {
      if (isPartOfOtherSite(visit)) return errorAnswer(visit, 'cross_site_request');
      const next = ownPath(visit.query.get('next')) ?? null;
      const begun = await beginAttempt(ports, visit, visit.params.provider ?? '', { kind: 'sign-in' }, next);
      if (!begun.ok) return refusedAnswer(visit, begun.error);
      return redirectAnswer(visit.site, begun.value.location, begun.value.headers);
    },
  });

/** Whether the browser says that it loads this as a part of another site's page, and not as a page. */
function isPartOfOtherSite({ isFromOtherOrigin, request }: Visit): boolean {
  const { 'sec-fetch-dest': destination = 'document' } = request.headers;
  return isFromOtherOrigin && destination !== 'document';
}
