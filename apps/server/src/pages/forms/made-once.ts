import { hash } from 'node:crypto';
import type { TokenId } from '@gatehouse/domain/tokens';
import type { UserId } from '@gatehouse/domain/users';

/**
 * Returns the id of the token that a form makes, in place of a new one each time: the form is done once, however often and to
 * whichever server it is sent. It has the time of the form's own id, and a hash of that and of the user in place of the
 * random part: users could forge forms for themselves, but none whose token has the id of a token of others, and so
 * cannot find out whether there is one.
 */
export function idMadeBy(formId: TokenId, userId: UserId): TokenId {
  const digest = hash('sha256', `token ${userId} ${formId}`, 'hex');
  const variant = '89ab'.charAt(Number.parseInt(digest.charAt(0), 16) % 4);
  const parts = [digest.slice(1, 4), variant + digest.slice(4, 7), digest.slice(7, 19)];
  return `${formId.slice(0, 13)}-7${parts.join('-')}` as TokenId;
}
