import { inSteps } from '@gatehouse/extension-kit/postgres';
import { rekeyEmailsAfter } from '../users/stray-emails.ts';

/**
 * Stores the keys that `emailKey` returns now for the emails of all users. If two users would get the same key, both
 * keep their old keys, and `gatehouse migrate` names them.
 */
export const steps = inSteps((transaction, position) => rekeyEmailsAfter(transaction, position));
