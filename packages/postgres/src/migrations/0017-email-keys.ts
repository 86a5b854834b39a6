import { inSteps } from '@gatehouse/extension-kit/postgres';
import { rekeyEmailsAfter } from '../users/stray-emails.ts';

/**
 * Replaces the keys by which emails are compared with the keys that `emailKey` returns now. If two users would get the
 * same key, both keep their old keys, and `gatehouse migrate` names them.
 */
export const steps = inSteps((transaction, position) => rekeyEmailsAfter(transaction, position));
