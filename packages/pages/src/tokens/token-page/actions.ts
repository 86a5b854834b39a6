import { isLive, type TokenPage } from '@gatehouse/domain/tokens';
import { buttonLink } from '../../elements/inline.ts';
import { stateOfToken, useInWords } from '../../elements/token-words.ts';
import { type Html, html } from '../../html.ts';
import { giveTokenPath, revokePath, rotatePath } from '../../paths.ts';
import type { PageRequest } from '../../session/page-request.ts';

/**
 * Shows beside the title the state of a token, and links to give, to rotate and to revoke the token as far as that is
 * possible.
 */
export function actionsOf(token: TokenPage, { now }: PageRequest): Html {
  const live = isLive(token, now);
  const isRotatable = live && token.kind === 'api' && token.replacement === null && token.replacedAt === null;
  return html`<div class="actions">${stateOfToken(token.state)}${
    isRotatable &&
    html`${buttonLink(giveTokenPath(token.id), 'Give token')}${buttonLink(rotatePath(token.id), 'Rotate token')}`
  }${live && buttonLink(revokePath(token.id), 'Revoke token', 'danger')}</div>`;
}

/** Says when and from where a token that has not ended was used, because programs stop working when it is revoked. */
export function useOf(token: TokenPage, { now }: PageRequest): Html | null {
  if (!isLive(token, now)) return null;
  const use = useInWords(token.usage, now);
  return use === null
    ? html`<p>This token has never been used.</p>`
    : html`<p>This token was used ${use}.</p>`;
}
