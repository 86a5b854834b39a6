import type { Revoker, TokenInUse } from '@gatehouse/domain/tokens';
import { name } from '../elements/state.ts';
import { time } from '../elements/time.ts';
import { type Html, html } from '../html.ts';
import type { PageRequest } from '../session/page-request.ts';

/** Says how a token ended, by whom, when and why; null if it has not. */
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
