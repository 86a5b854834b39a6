import { hash } from 'node:crypto';
import type { Instant } from '@gatehouse/domain/time';
import type { TokenId } from '@gatehouse/domain/tokens';
import type { UserId } from '@gatehouse/domain/users';

/**
 * Returns the id of the token that a form creates. The id is the same each time the form is sent, whichever server
 * handles it, so the form creates only one token. The id contains the time of the form's id. The rest is a hash of the
 * form's id and the user instead of random bits, so a form cannot yield the id of another user's token.
 */
export function tokenIdForForm(formId: TokenId, userId: UserId): TokenId {
  const digest = hash('sha256', `token ${userId} ${formId}`, 'hex');
  const variant = '89ab'.charAt(Number.parseInt(digest.charAt(0), 16) % 4);
  const parts = [digest.slice(1, 4), variant + digest.slice(4, 7), digest.slice(7, 19)];
  return `${formId.slice(0, 13)}-7${parts.join('-')}` as TokenId;
}

/**
 * How long a form that creates a token may be open, in milliseconds: 30 minutes. The id of the token contains the time
 * at which the form was opened, and lists are sorted by this time. A token from an older form would appear among older
 * tokens in the list.
 */
const OPEN_MS = 30 * 60_000;

export const OPEN_FOR_TOO_LONG =
  'This form was open for more than 30 minutes, so nothing was changed. Check the form and send it again.';

/**
 * Whether a form was opened more than 30 minutes ago. The id of a form is a UUID of version 7, which contains the time
 * of its creation (RFC 9562 section 5.7).
 */
export function wasOpenForTooLong(formId: TokenId, now: Instant): boolean {
  const madeAt = Number.parseInt(formId.slice(0, 8) + formId.slice(9, 13), 16);
  return now - madeAt > OPEN_MS;
}
