import type { Endpoint, Surface } from '@gatehouse/http';
import { activityPage } from './activity.ts';
import { assetEndpoints } from './assets.ts';
import { firstUseEndpoint } from './first-use.ts';
import { HOME_VIEW } from './home.ts';
import { createErrorPages } from './http/error-page.ts';
import { redirectAnswer } from './http/page-answer.ts';
import { isForReader } from './http/unknown-address.ts';
import { inPageLane } from './in-page-lane.ts';
import { newTokenPage } from './new-token.ts';
import { createPageEndpoint } from './page-endpoint.ts';
import { passwordPage } from './password.ts';
import * as paths from './paths.ts';
import type { PagesPorts } from './ports.ts';
import { referencePage } from './reference/reference.ts';
import { revokeTokenPage } from './revoke-token.ts';
import { rotateTokenPage } from './rotate-token.ts';
import { createFindSignedIn, openPage } from './session/open-page.ts';
import { createSignedIn } from './session/signed-in.ts';
import { sessionsPage } from './sessions.ts';
import { signInEndpoint } from './sign-in.ts';
import { signOutEndpoint } from './sign-out.ts';
import { tokenPage } from './token.ts';
import { tokenListPage } from './token-list.ts';

/** Creates the pages for browsers. Pages never read bearer tokens, and routes of the API never read cookies. */
export function createPages({ useCases, onPageOf, ...others }: PagesPorts): Surface {
  const ports = { ...others, ...inPageLane(useCases, onPageOf) };
  const { findSite } = ports;
  const signedIn = createSignedIn(ports);
  const findSignedIn = createFindSignedIn(ports);
  const endpoints: Readonly<Record<string, Endpoint>> = {
    ...assetEndpoints,
    [paths.HOME]: openPage(findSite, findSignedIn, () => HOME_VIEW),
    [paths.SETTINGS]: createPageEndpoint(findSite, {
      GET: ({ site }) => redirectAnswer(site, paths.API_TOKENS),
    }),
    [paths.REFERENCE]: referencePage(ports, findSignedIn),
    [paths.SIGN_IN]: signInEndpoint(ports),
    [paths.SIGN_OUT]: signOutEndpoint(ports),
    [paths.ACTIVITY]: signedIn(activityPage(ports)),
    [paths.API_TOKENS]: signedIn(tokenListPage(ports)),
    [paths.NEW_TOKEN]: signedIn(newTokenPage(ports)),
    [`${paths.API_TOKENS}/:id`]: signedIn(tokenPage(ports)),
    [`${paths.API_TOKENS}/:id/first-use`]: firstUseEndpoint(ports),
    [`${paths.API_TOKENS}/:id/revoke`]: signedIn(revokeTokenPage(ports)),
    [`${paths.API_TOKENS}/:id/rotate`]: signedIn(rotateTokenPage(ports)),
    [paths.SESSIONS]: signedIn(sessionsPage(ports)),
    [paths.PASSWORD]: signedIn(passwordPage(ports)),
  };
  return { endpoints, problemView: createErrorPages(findSite, findSignedIn), isForReader };
}
