import type { TokenStatus } from '@gatehouse/domain/tokens';
import { shortTime, timeAgo } from '../../views/time.ts';

/** What a person can take in before answering a question. */
export const MOST_LISTED = 50;

export function holdsApiTokens(tokens: readonly TokenStatus[]): boolean {
  return tokens.some((token) => token.kind === 'api');
}

/** What a person has to know of the tokens that are about to end, line by line. */
export function tokenLines(tokens: readonly TokenStatus[]): readonly string[] {
  if (tokens.length === 0) return ['No live tokens.'];
  const more =
    tokens.length > MOST_LISTED ? ['  and more: `gatehouse token list --creator EMAIL` shows all'] : [];
  return [
    'Live tokens:',
    ...tokens
      .slice(0, MOST_LISTED)
      .map(
        ({ id, name, kind, expiresAt, usage, at }) =>
          `  "${name}" (${id}), ${kind}, last used ${timeAgo(usage.lastUsedAt, at)}, expires ${shortTime(expiresAt, 'never')}`,
      ),
    ...more,
  ];
}

/** The same in one sentence; API tokens by their names, for somebody has to replace them. */
export function tokensInShort(tokens: readonly TokenStatus[]): string {
  const names = tokens
    .slice(0, MOST_LISTED)
    .filter((token) => token.kind === 'api')
    .map((token) => `"${token.name}"`);
  const count = tokens.length > MOST_LISTED ? `more than ${MOST_LISTED}` : String(tokens.length);
  const named = names.length === 0 ? '' : `, API tokens among them: ${names.join(', ')}`;
  return `live tokens that end: ${count}${named}`;
}
