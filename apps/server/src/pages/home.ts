import type { Endpoint } from '../http/routed-app.ts';
import { buttonLink } from './elements/button.ts';
import { plainPage } from './elements/layout.ts';
import { html } from './html.ts';
import { pageAnswer } from './http/page-answer.ts';
import { createPageEndpoint } from './page-endpoint.ts';
import { API_TOKENS, REFERENCE } from './paths.ts';
import type { FindSite } from './site/site.ts';
import { view } from './view.ts';

/** `/`: what this is, and the ways to the tokens and to the reference. */
export function homePage(findSite: FindSite): Endpoint {
  const page = plainPage(
    view({
      title: 'Organizations and API tokens',
      content: html`<p class="lead">Gatehouse is a directory of organizations, and the authority for the tokens that programs read it with.</p>
<p>Account admins make tokens, see where each is used, and end them. Programs send them with every request.</p>
<p class="actions">${buttonLink(API_TOKENS, 'Manage API tokens', 'primary')}${buttonLink(REFERENCE, 'API reference')}</p>`,
    }),
  );
  return createPageEndpoint(findSite, { GET: ({ site }) => pageAnswer(site, 200, page) });
}
