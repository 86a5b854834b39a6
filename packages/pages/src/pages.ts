import type { Surface } from '@gatehouse/http';
import { accountPages } from './account/account-pages.ts';
import { activityPages } from './activity/activity-pages.ts';
import { assetEndpoints } from './assets.ts';
import { forgotPasswordEndpoint } from './forgot-password.ts';
import { HOME_VIEW } from './home.ts';
import { createErrorPages } from './http/error-page.ts';
import { isForReader } from './http/unknown-address.ts';
import { inPageLane } from './in-page-lane.ts';
import { linkPages } from './links/links-pages.ts';
import { organizationsPages } from './organizations/organizations-pages.ts';
import * as paths from './paths.ts';
import type { PagesPorts } from './ports.ts';
import { profilePages } from './profile/profile-pages.ts';
import { providersPages } from './providers/providers-pages.ts';
import { referencePage } from './reference/reference.ts';
import { serviceAccountsPages } from './service-accounts/service-accounts-pages.ts';
import { createFindSignedIn, openPage } from './session/open-page.ts';
import { createSignedIn, type PageTable } from './session/signed-in.ts';
import { SETTINGS_PAGE } from './settings.ts';
import { signInEndpoint } from './sign-in.ts';
import { signInCodeEndpoint } from './sign-in-code.ts';
import { signOutEndpoint } from './sign-out.ts';
import { tokenPages } from './tokens/token-pages.ts';
import { usersPages } from './users/users-pages.ts';
import { webhooksPages } from './webhooks/webhooks-pages.ts';

/** Creates the pages for browsers. Pages never read bearer tokens, and routes of the API never read cookies. */
export function createPages({ useCases, onPageOf, ...others }: PagesPorts): Surface {
  const ports = { ...others, ...inPageLane(useCases, onPageOf) };
  const { findSite } = ports;
  const signedIn = createSignedIn(ports);
  const findSignedIn = createFindSignedIn(ports);
  const endpoints: PageTable = {
    ...assetEndpoints,
    [paths.HOME]: openPage(findSite, findSignedIn, () => HOME_VIEW),
    [paths.SETTINGS]: signedIn(SETTINGS_PAGE),
    [paths.REFERENCE]: referencePage(ports, findSignedIn),
    [paths.SIGN_IN]: signInEndpoint(ports),
    [paths.SIGN_IN_CODE]: signInCodeEndpoint(ports),
    [paths.SIGN_OUT]: signOutEndpoint(ports),
    [paths.FORGOT_PASSWORD]: forgotPasswordEndpoint(ports),
    ...tokenPages(ports, signedIn),
    ...organizationsPages(ports, signedIn),
    ...linkPages(ports, signedIn, findSignedIn),
    ...activityPages(ports, signedIn),
    ...accountPages(ports, signedIn),
    ...usersPages(ports, signedIn),
    ...serviceAccountsPages(ports, signedIn),
    ...webhooksPages(ports, signedIn),
    ...profilePages(ports, signedIn),
    ...providersPages(ports, signedIn),
  };
  return { endpoints, problemView: createErrorPages(findSite, findSignedIn), isForReader };
}
