import { hash } from 'node:crypto';
import type { Instant } from '@gatehouse/domain/time';
import type { TokenId } from '@gatehouse/domain/tokens';
import type { UserId } from '@gatehouse/domain/users';

/**
 * Returns the id of the token that a form makes. The id is the same each time the form is sent, to any server, so the form makes
 * one token. The id has the time of the form's id. A hash of the form's id and the user replaces the random part, so no form leads
 * to the id of another user's token.
 */
export function tokenIdForForm(formId: TokenId, userId: UserId): TokenId {
  const digest = hash('sha256', `token ${userId} ${formId}`, 'hex');
  const variant = '89ab'.charAt(Number.parseInt(digest.charAt(0), 16) % 4);
  const parts = [digest.slice(1, 4), variant + digest.slice(4, 7), digest.slice(7, 19)];
  return `${formId.slice(0, 13)}-7${parts.join('-')}` as TokenId;
}

/**
 * How long a form that makes a token can be open, in milliseconds: 30 minutes. Lists are sorted by the time in the ids of tokens,
 * and the id of a token has the time at which its form was opened. A form that is sent much later would make a token that stands
 * among old ones.
 */
const OPEN_MS = 30 * 60_000;

export const OPEN_FOR_TOO_LONG =
  'This form was open for more than 30 minutes, so nothing was changed. Check the form and send it again.';

/**
 * Whether a form was opened more than 30 minutes ago. The id of a form is a UUID of version 7, which has the time (RFC 9562 section
 * 5.7).
 */
export function wasOpenForTooLong(formId: TokenId, now: Instant): boolean {
  const madeAt = Number.parseInt(formId.slice(0, 8) + formId.slice(9, 13), 16);
  return now - madeAt > OPEN_MS;
}
