import { inSteps } from '@gatehouse/extension-kit/postgres';
import { rekeyEmailsAfter } from '../users/stray-emails.ts';

/** Stores users under the key that is stable. Two who have the same one by now keep theirs, and `migrate` names them. */
export const steps = inSteps((transaction, position) => rekeyEmailsAfter(transaction, position));
