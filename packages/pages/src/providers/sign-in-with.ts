import type { Endpoint } from '@gatehouse/http';
import { ownPath } from '../http/own-path.ts';
import { redirectAnswer } from '../http/page-answer.ts';
import { createPageEndpoint } from '../page-endpoint.ts';
import type { PagePorts } from '../ports.ts';
import { type BeginPorts, beginAttempt } from './begin-attempt.ts';
import { refusedAnswer } from './refused-answer.ts';

/**
 * `/sign-in/with/{provider}`: leads to the identity provider. Other sites may link here, such as the list of
 * applications of a provider: the attempt is of this browser, and decides nothing yet.
 */
export const signInWithEndpoint = (ports: BeginPorts & Pick<PagePorts, 'findSite'>): Endpoint =>
  createPageEndpoint(ports.findSite, {
    async GET(visit) {
      const next = ownPath(visit.query.get('next')) ?? null;
      const begun = await beginAttempt(ports, visit, visit.params.provider ?? '', { kind: 'sign-in' }, next);
      if (!begun.ok) return refusedAnswer(visit, begun.error);
      return redirectAnswer(visit.site, begun.value.location, begun.value.headers);
    },
  });
