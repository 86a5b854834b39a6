import { formatInstant, formatInstantOrNull } from '@gatehouse/domain/time';
import type { ShortenedToken } from '@gatehouse/domain/token-policy';
import { shortTime, type View } from '@gatehouse/extension-kit/cli';
import { documentOf } from './document.ts';

/** Shows a token that the rules of its account shorten, with its expiry before and after. */
export const shortenedTokenView: View<ShortenedToken> = {
  document: ({ token, expiresAt }) => ({
    ...documentOf(token, 'id', 'name', 'kind', 'accountId'),
    former_expires_at: formatInstantOrNull(token.expiresAt),
    expires_at: formatInstant(expiresAt),
  }),
  empty: 'No token would be accepted for longer than the rules allow.',
  columns: [
    { title: 'ID', value: ({ token }) => token.id, essential: true },
    { title: 'NAME', value: ({ token }) => token.name, essential: true, flexible: true },
    { title: 'KIND', value: ({ token }) => token.kind },
    { title: 'BEFORE', value: ({ token }) => shortTime(token.expiresAt, 'never'), essential: true },
    { title: 'EXPIRES', value: ({ expiresAt }) => shortTime(expiresAt), essential: true },
  ],
};
