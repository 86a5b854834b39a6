import type { TokenStatus } from '@gatehouse/domain/tokens';
import { counted } from '../../views/count.ts';
import { shortTime, timeAgo } from '../../views/time.ts';

/** Maximum number of tokens that are listed before a question. */
export const MAX_LISTED = 50;

export function holdsApiTokens(tokens: readonly TokenStatus[]): boolean {
  return tokens.some((token) => token.kind === 'api');
}

/** Describes the tokens, one line each. */
export function tokenLines(tokens: readonly TokenStatus[]): readonly string[] {
  if (tokens.length === 0) return ['The user has no live tokens.'];
  const more =
    tokens.length > MAX_LISTED ? ['  and more: `gatehouse token list --creator EMAIL` lists all'] : [];
  return [
    'Live tokens:',
    ...tokens.slice(0, MAX_LISTED).map(({ usage, at, ...token }) => {
      const use = `last used ${timeAgo(usage.lastUsedAt, at)}`;
      const expiry = token.expiresAt === null ? 'never expires' : `expires ${shortTime(token.expiresAt)}`;
      return `  "${token.name}" (${token.id}), ${token.kind}, ${use}, ${expiry}`;
    }),
    ...more,
  ];
}

/** Summarizes the tokens, with the names of API tokens, which have to be replaced. */
export function tokensInShort(tokens: readonly TokenStatus[]): string {
  const names = tokens
    .slice(0, MAX_LISTED)
    .filter((token) => token.kind === 'api')
    .map((token) => `"${token.name}"`);
  const count =
    tokens.length > MAX_LISTED ? `more than ${MAX_LISTED} live tokens` : counted(tokens.length, 'live token');
  return names.length === 0 ? count : `${count}, including the API tokens ${names.join(', ')}`;
}
