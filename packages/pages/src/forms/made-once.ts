import { hash } from 'node:crypto';
import type { Instant } from '@gatehouse/domain/time';
import type { TokenId } from '@gatehouse/domain/tokens';
import type { UserId } from '@gatehouse/domain/users';

/**
 * Returns the id of the token that a form makes. It is the same each time, so the form acts once, however often and to whichever
 * server it is sent. The id has the time of the form's own id, and a hash of that id and of the user in place of the random
 * part. The form's token proves that a server made the form's id, and even a forged one does not lead to the id of another
 * user's token.
 */
export function tokenIdForForm(formId: TokenId, userId: UserId): TokenId {
  const digest = hash('sha256', `token ${userId} ${formId}`, 'hex');
  const variant = '89ab'.charAt(Number.parseInt(digest.charAt(0), 16) % 4);
  const parts = [digest.slice(1, 4), variant + digest.slice(4, 7), digest.slice(7, 19)];
  return `${formId.slice(0, 13)}-7${parts.join('-')}` as TokenId;
}

/**
 * How long a form that makes a token can be open, in milliseconds: 30 minutes. Lists are sorted by the
 * time in the token's id, which is the form's: a form that was kept could make a token that is listed among old ones.
 */
const OPEN_MS = 30 * 60_000;

/** Shown above a form that was open for too long. */
export const OPEN_FOR_TOO_LONG =
  'This form was open for more than 30 minutes, so nothing was changed. Look it over, and send it again.';

/** Whether the id of a form, a UUID of version 7 (RFC 9562 section 5.7), was made too long ago. */
export function wasOpenForTooLong(formId: TokenId, now: Instant): boolean {
  const madeAt = Number.parseInt(formId.slice(0, 8) + formId.slice(9, 13), 16);
  return now - madeAt > OPEN_MS;
}
