import { buttonLink } from './elements/inline.ts';
import { html } from './html.ts';
import { API_TOKENS, REFERENCE } from './paths.ts';
import { view } from './view.ts';

/** `/`: says what this server is, with links to the tokens and the reference. */
export const HOME_VIEW = view({
  title: 'Organizations and API tokens',
  content: html`<p class="lead">Gatehouse is a directory of organizations. Programs read the directory with API tokens that Gatehouse issues.</p>
<p>Account admins create tokens, see from which addresses each token is used, and revoke tokens. Programs send a token with every request.</p>
<p class="actions">${buttonLink(API_TOKENS, 'Manage API tokens', 'primary')}${buttonLink(REFERENCE, 'API reference')}</p>`,
});
