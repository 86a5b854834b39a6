import { isAcceptedIn, type TokenStatus } from '@gatehouse/domain/tokens';
import { shortTime, timeAgo } from '../../views/time.ts';

/** What somebody has to know of a token before it is revoked, in a line. */
export function whatBreaks(token: TokenStatus): string {
  const { user, state, usage, successor, at } = token;
  const named = `"${token.name}" of ${user.email} (${token.id})`;
  if (token.revocation) return `${named} was revoked already, at ${shortTime(token.revocation.at)}.`;
  const facts = [
    state.replaceAll('_', ' '),
    ...(successor === null ? [] : [`by ${successor}`]),
    ...(token.replaces === null ? [] : [`made to replace ${token.replaces.tokenId}`]),
    `created ${shortTime(token.createdAt)}`,
    `last used ${timeAgo(usage.lastUsedAt, at)}`,
    `expires ${shortTime(token.expiresAt, 'never')}`,
    `may ${token.scopes.join(' ')}`,
  ];
  const loss = isAcceptedIn(state) ? '' : ' It is refused already.';
  return `${named}: ${facts.join(', ')}.${loss}`;
}
