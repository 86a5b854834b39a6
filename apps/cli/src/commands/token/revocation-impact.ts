import { isAcceptedIn, type ReferencedToken, type TokenStatus } from '@gatehouse/domain/tokens';
import { shortTime } from '@gatehouse/extension-kit/cli';
import { timeAgo, timeSpan } from '../../views/time.ts';

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

/** Says that `token` still works, and until when. The second parameter is the other token of the same rotation. */
export function worksBeside(token: TokenStatus, { replaces }: Pick<TokenStatus, 'replaces'>): string {
  if (replaces?.tokenId !== token.id || token.replacedAt !== null) return stillWorks(token);
  const grace = timeSpan(replaces.graceMs);
  return `The token "${token.name}" (${token.id}) still works, until ${grace} after its replacement is first used.`;
}

/** Says that a token still works, and until when. `revokes` is appended, and says how to revoke the token. */
export function stillWorks({ name, id, expiresAt }: TokenStatus, revokes = ''): string {
  const end = expiresAt === null ? 'never expires' : `expires ${shortTime(expiresAt)}`;
  return `The token "${name}" (${id}) still works and ${end}${revokes}.`;
}

/** Returns the tokens that still work after the given tokens are revoked, because they belong to the same rotations. */
export function leftWorking(
  tokens: readonly Pick<ReferencedToken, 'id' | 'alsoLive'>[],
): readonly TokenStatus[] {
  const named = new Set<string>(tokens.map(({ id }) => id));
  const others = tokens.flatMap(({ alsoLive }) => alsoLive).filter(({ id }) => !named.has(id));
  return [...new Map(others.map((each) => [each.id, each])).values()];
}
