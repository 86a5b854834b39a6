import { createHmac, randomBytes } from 'node:crypto';
import { SetupFault, UnavailableFault } from '@gatehouse/domain';
import type { SignInError } from '@gatehouse/domain/sign-in';
import { type Email, emailKey } from '@gatehouse/domain/users';
import type { NoteSignIn } from '@gatehouse/pages';
import type { Log } from './logging/line-kind.ts';

/** The outcome of a sign-in; `unavailable` and `failed` if it is not known. */
export type SignInOutcome = 'accepted' | SignInError['code'] | 'unavailable' | 'failed';

export interface SignInOutcomePorts {
  readonly log: Log;
  readonly signIns: { inc(outcome: SignInOutcome): void };
}

/**
 * Runs a sign-in of the API or of a page, and counts and logs its outcome. Logs the email only if it belongs to a user.
 * Logs a tag of each email, which is the same in all lines of this process; its key is only in memory.
 */
export function createNoteSignIn({ log, signIns }: SignInOutcomePorts): NoteSignIn {
  const tagKey = randomBytes(32);
  return async (request, { email, password }, signIn) => {
    const { address } = request;
    let known: Email | null = null;
    const onUser = (user: Email) => {
      known = user;
    };
    const note = (outcome: SignInOutcome) => {
      signIns.inc(outcome);
      log.info(
        {
          kind: 'sign_in',
          request_id: request.id,
          outcome,
          // Text that is not the address of a user may be a password in the wrong field, with an @ or without.
          email: known,
          email_tag: createHmac('sha256', tagKey).update(emailKey(email)).digest('hex').slice(0, 12),
          address,
        },
        'sign-in',
      );
    };
    const signedIn = await signIn({ email, password, address, onUser }).catch((fault) => {
      note(fault instanceof UnavailableFault || fault instanceof SetupFault ? 'unavailable' : 'failed');
      throw fault;
    });
    note(signedIn.ok ? 'accepted' : signedIn.error.code);
    return signedIn;
  };
}
