import { isAcceptedIn, type TokenStatus } from '@gatehouse/domain/tokens';
import { shortTime } from '@gatehouse/extension-kit/cli';
import { timeAgo } from '../../views/time.ts';

/** Describes, in one line, what revoking the token affects. */
export function revocationImpact(token: TokenStatus): string {
  const { user, state, usage, successor, at } = token;
  const named = `"${token.name}" of ${user.email} (${token.id})`;
  if (token.revocation) return `${named} was already revoked at ${shortTime(token.revocation.at)}.`;
  const facts = [
    state.replaceAll('_', ' '),
    ...(successor === null ? [] : [`replaced by ${successor}`]),
    ...(token.replaces === null ? [] : [`replaces ${token.replaces.tokenId}`]),
    `created ${shortTime(token.createdAt)}`,
    `last used ${timeAgo(usage.lastUsedAt, at)}`,
    `expires ${shortTime(token.expiresAt, 'never')}`,
    `scopes: ${token.scopes.includes('*') ? 'all' : token.scopes.join(' ')}`,
  ];
  const loss = isAcceptedIn(state) ? '' : ' Servers already refuse it.';
  return `${named}: ${facts.join(', ')}.${loss}`;
}
