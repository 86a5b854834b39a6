import type { TokenInUse } from '@gatehouse/domain/tokens';
import { name } from '../elements/state.ts';
import { time } from '../elements/time.ts';
import { type Html, html } from '../html.ts';
import type { PageRequest } from '../session/page-request.ts';

/** Says how a token ended, by whom, when and why; null if it has not. */
export function endInWords(token: TokenInUse, { now, user }: Pick<PageRequest, 'now' | 'user'>): Html | null {
  const { revocation, revokedBy, expiresAt, replacedAt } = token;
  if (revocation) {
    const who =
      revokedBy === null
        ? null
        : html` by ${revokedBy.kind === 'operator' ? 'an operator' : revokedBy.email === user.email ? 'you' : name(revokedBy.email)}`;
    return html`<p>${name(token.name)} was revoked${who} ${time(revocation.at, now)}.</p>${
      revocation.reason === null ? null : html`<p>Reason: ${name(revocation.reason)}</p>`
    }`;
  }
  if (expiresAt === null || expiresAt > now) return null;
  const how = replacedAt === null ? 'expired' : 'was replaced by another token, and ended';
  return html`<p>${name(token.name)} ${how} ${time(expiresAt, now)}.</p>`;
}
