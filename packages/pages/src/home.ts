import type { Endpoint } from '@gatehouse/http';
import { buttonLink } from './elements/inline.ts';
import { html } from './html.ts';
import { redirectAnswer } from './http/page-answer.ts';
import { createPageEndpoint } from './page-endpoint.ts';
import { API_TOKENS, REFERENCE } from './paths.ts';
import { type FindShell, openPage } from './session/open-page.ts';
import type { FindSite } from './site/site.ts';
import { view } from './view.ts';

const HOME_VIEW = view({
  title: 'Organizations and API tokens',
  content: html`<p class="lead">Gatehouse is a directory of organizations, and the authority for the tokens that programs read it with.</p>
<p>Account admins make tokens, see where each is used, and end them. Programs send them with every request.</p>
<p class="actions">${buttonLink(API_TOKENS, 'Manage API tokens', 'primary')}${buttonLink(REFERENCE, 'API reference')}</p>`,
});

/** `/`: says what this server is, with links to the tokens and the reference. */
export function homePage(findSite: FindSite, findShell: FindShell): Endpoint {
  return openPage(findSite, findShell, () => HOME_VIEW);
}

/** `/settings`: redirects to the first settings page, which redirects visitors to the sign-in. */
export function settingsPage(findSite: FindSite): Endpoint {
  return createPageEndpoint(findSite, { GET: ({ site }) => redirectAnswer(site, API_TOKENS) });
}
