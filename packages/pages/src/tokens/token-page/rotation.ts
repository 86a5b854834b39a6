import type { Instant } from '@gatehouse/domain/time';
import type { TokenPage, TokenStatus } from '@gatehouse/domain/tokens';
import { section } from '../../elements/part.ts';
import { table } from '../../elements/table.ts';
import { lastDay, time } from '../../elements/time.ts';
import { stateOfToken } from '../../elements/token-words.ts';
import { type Html, html } from '../../html.ts';
import { tokenPath } from '../../paths.ts';

/**
 * Shows when the old and the new token of a rotation were last used, so that users see whether programs use the new
 * token; null if the token is not part of a rotation.
 */
export function rotationPart(page: TokenPage, now: Instant): Html | null {
  const { predecessor, replacement } = page;
  if (!predecessor && !replacement) return null;
  const rows = [
    ...(predecessor ? [{ label: 'Previous token', token: predecessor }] : []),
    { label: 'This token', token: page },
    ...(replacement ? [{ label: 'New token', token: replacement }] : []),
  ];
  return section(
    'Rotation',
    html`<p>${replacement ? progress(page, replacement, now) : predecessor && progress(predecessor, page, now)}</p>
${table({
  caption: 'Tokens of the rotation',
  columns: {
    Token: ({ label, token }) =>
      token.id === page.id ? label : html`<a href="${tokenPath(token.id)}">${label}</a>`,
    State: ({ token }) => stateOfToken(token.state),
    'Last used': ({ token: { usage } }) => lastUse(usage, now),
  },
  rows,
})}`,
  );
}

function lastUse({ lastUsedAt, lastUsedFrom }: TokenStatus['usage'], now: Instant): Html | string {
  if (lastUsedAt === null) return 'Never';
  return html`${time(lastUsedAt, now)}${lastUsedFrom !== null && html` from <span class="mono">${lastUsedFrom}</span>`}`;
}

/** Says whether programs use the new token, and whether the old token still works. */
function progress(old: TokenStatus, next: TokenStatus, now: Instant): Html | string {
  const isOver = old.revocation !== null || (old.expiresAt !== null && old.expiresAt <= now);
  if (next.usage.lastUsedAt === null) {
    return isOver
      ? 'The old token has ended, and the new one has not been used yet. Programs do not work until they use the new token.'
      : 'The new token has not been used yet. The old token works as before until the new one is used.';
  }
  if (isOver) return 'The new token is in use, and the old one has ended. The rotation is complete.';
  const ends = old.expiresAt !== null && html` The old token ends on ${lastDay(old.expiresAt)}.`;
  const isOldUsed =
    old.usage.lastUsedAt !== null && old.replacedAt !== null && old.usage.lastUsedAt > old.replacedAt;
  return isOldUsed
    ? html`The new token is in use, and at least one program still uses the old token.${ends}`
    : html`The new token is in use, and the old token was not used after the first use of the new one.${ends}`;
}
