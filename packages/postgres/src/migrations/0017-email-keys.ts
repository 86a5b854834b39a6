import { inSteps } from '@gatehouse/extension-kit/postgres';
import { rekeyEmailsAfter } from '../users/stray-emails.ts';

/**
 * Stores users under the stable key of their email. Two users with the same stable key keep their keys, and `migrate` names
 * them.
 */
export const steps = inSteps((transaction, position) => rekeyEmailsAfter(transaction, position));
