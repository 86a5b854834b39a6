import { err, type Result } from '@gatehouse/domain';
import { parseTokenId, type Revoker, type TokenInUse } from '@gatehouse/domain/tokens';
import { buttonLink, name } from '../elements/inline.ts';
import { backTo } from '../elements/part.ts';
import { time } from '../elements/time.ts';
import { type Html, html } from '../html.ts';
import type { PageUseCases } from '../page-use-cases.ts';
import { NEW_TOKEN, tokenPath } from '../paths.ts';
import type { PageRequest } from '../session/page-request.ts';
import { denied, type ErrorPage, errorPage } from '../view.ts';

/** Finds the token whose id is in the address of the page, or returns the error page to show instead. */
export async function findToken(
  { showTokenUse }: Pick<PageUseCases, 'showTokenUse'>,
  { caller, params }: PageRequest,
): Promise<Result<TokenInUse, ErrorPage>> {
  const id = parseTokenId(params.id ?? '');
  if (id === undefined) return err(errorPage('not_found'));
  const found = await showTokenUse(caller, id);
  return found.ok ? found : err(denied(found.error));
}

/** The title of a page that ends or replaces a token, such as `Revoke ERP`, and the link back to the token. */
export function changeFrame(deed: string, { id, name: text }: TokenInUse) {
  return { title: `${deed} ${text}`, above: backTo(tokenPath(id), 'Back to the token') };
}

/** Says how and when a token ended, by whom and why; null if the token has not ended. */
export function endInWords(token: TokenInUse, { now, user }: Pick<PageRequest, 'now' | 'user'>): Html | null {
  const { revocation, revokedBy, expiresAt, replacedAt } = token;
  if (revocation) {
    const who = revokedBy && html` by ${revokerInWords(revokedBy, user)}`;
    return html`<p>${name(token.name)} was revoked${who} ${time(revocation.at, now)}.</p>${
      revocation.reason === null ? null : html`<p>Reason: ${name(revocation.reason)}</p>`
    }`;
  }
  if (expiresAt === null || expiresAt > now) return null;
  const how = replacedAt === null ? 'expired' : 'was replaced by another token, and ended';
  return html`<p>${name(token.name)} ${how} ${time(expiresAt, now)}.</p>`;
}

function revokerInWords(by: Revoker, user: PageRequest['user']): Html | string {
  if (by.kind === 'user') return by.email === user.email ? 'you' : name(by.email);
  return by.for === undefined ? 'an operator' : html`an operator, for ${name(by.for)},`;
}

/** Says why a token cannot be rotated, and what to do instead; null if the token can be rotated. */
export function obstacleInWords(token: TokenInUse, request: PageRequest): Html | null {
  const { obstacle } = token;
  if (obstacle === null) return null;
  switch (obstacle.reason) {
    case 'sign_in':
      return html`<p>This token was created when a program signed in. Only API tokens can be rotated. The program gets a new token when it signs in again.</p>`;
    case 'revoked':
    case 'expired':
      return html`${endInWords(token, request)}<p>This token has already ended.</p>
<p class="actions">${buttonLink(NEW_TOKEN, 'Create a token', 'primary')}</p>`;
    case 'being_replaced':
      return obstacle.successorId === null
        ? html`<p>${name(token.name)} was already replaced, and the token that replaced it was revoked.</p>
<p class="actions">${buttonLink(NEW_TOKEN, 'Create a token', 'primary')}</p>`
        : html`<p>${name(token.name)} is already being replaced. Programs should use the new token from now on. If you lost the
new token, revoke it. You can then rotate this token again.</p>
<p class="actions">${buttonLink(tokenPath(obstacle.successorId), 'See the new token', 'primary')}</p>`;
    case 'replaces_another':
      return html`<p>${name(token.name)} was created to replace another token, and has not been used yet. Use it once before you
rotate it, or revoke it and rotate the other token again.</p>
<p class="actions">${buttonLink(tokenPath(obstacle.predecessorId), 'See the other token', 'primary')}</p>`;
  }
}
