import type { ReferencedToken, TokenStatus } from '@gatehouse/domain/tokens';
import { shortTime } from '@gatehouse/extension-kit/cli';
import { timeSpan } from '../../views/time.ts';

/** Says which token works beside the one that it replaced or will replace, and how long. */
export function worksBeside(token: TokenStatus, { replaces }: Pick<TokenStatus, 'replaces'>): string {
  if (replaces?.tokenId !== token.id || token.replacedAt !== null) return stillWorks(token);
  const grace = timeSpan(replaces.graceMs);
  return `The token "${token.name}" (${token.id}) still works, until ${grace} after this one is first used.`;
}

/** Says which token continues to work alone, and how long; `revokes` says how to revoke it. */
export function stillWorks({ name, id, expiresAt }: TokenStatus, revokes = ''): string {
  const end = expiresAt === null ? 'never expires' : `expires ${shortTime(expiresAt)}`;
  return `The token "${name}" (${id}) still works and ${end}${revokes}.`;
}

/** The other tokens of the same rotations, which the command leaves unchanged. */
export function leftWorking(
  tokens: readonly Pick<ReferencedToken, 'id' | 'alsoLive'>[],
): readonly TokenStatus[] {
  const named = new Set<string>(tokens.map(({ id }) => id));
  const others = tokens.flatMap(({ alsoLive }) => alsoLive).filter(({ id }) => !named.has(id));
  return [...new Map(others.map((each) => [each.id, each])).values()];
}
