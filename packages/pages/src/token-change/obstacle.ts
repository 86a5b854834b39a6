import type { TokenInUse } from '@gatehouse/domain/tokens';
import { buttonLink } from '../elements/button.ts';
import { name } from '../elements/state.ts';
import { type Html, html } from '../html.ts';
import { NEW_TOKEN, tokenPath } from '../paths.ts';
import type { PageRequest } from '../session/page-request.ts';
import { endInWords } from './token-end.ts';

/** Says why a token cannot be rotated, and what to do instead; null if it can. */
export function obstacleInWords(token: TokenInUse, request: PageRequest): Html | null {
  const { obstacle } = token;
  if (obstacle === null) return null;
  switch (obstacle.reason) {
    case 'sign_in':
      return html`<p>This is the token of a sign-in. Only API tokens can be rotated: signing in again gives a new one.</p>`;
    case 'revoked':
    case 'expired':
      return html`${endInWords(token, request)}<p>This token has already ended.</p>
<p class="actions">${buttonLink(NEW_TOKEN, 'Create a token', 'primary')}</p>`;
    case 'being_replaced':
      return obstacle.successorId === null
        ? html`<p>${name(token.name)} was replaced already, and the token that replaced it was revoked.</p>
<p class="actions">${buttonLink(NEW_TOKEN, 'Create a token', 'primary')}</p>`
        : html`<p>${name(token.name)} is being replaced already: programs should use the new token from now on. If the new one was
lost, revoke it; then this one can be rotated again.</p>
<p class="actions">${buttonLink(tokenPath(obstacle.successorId), 'See the new token', 'primary')}</p>`;
    case 'replaces_another':
      return html`<p>${name(token.name)} was made to replace another token, and has not been used yet. Use it first; or revoke it, and
rotate the other one again.</p>
<p class="actions">${buttonLink(tokenPath(obstacle.predecessorId), 'See the other token', 'primary')}</p>`;
  }
}
