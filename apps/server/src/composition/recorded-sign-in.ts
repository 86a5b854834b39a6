import { createHmac, randomBytes } from 'node:crypto';
import { SetupFault, UnavailableFault } from '@gatehouse/domain';
import type { SignInError } from '@gatehouse/domain/sign-in';
import { type Email, emailKey } from '@gatehouse/domain/users';
import type { Recorded } from '@gatehouse/pages';
import type { Log } from '../logging/line-kind.ts';

/**
 * The outcome of a sign-in. `unavailable`: something that the sign-in needs, such as the database, did not work.
 * `failed`: a bug.
 */
export type SignInOutcome = 'accepted' | SignInError['code'] | 'unavailable' | 'failed';

export interface SignInOutcomePorts {
  readonly log: Log;
  readonly signIns: { inc(outcome: SignInOutcome): void };
}

/**
 * Creates a wrapper for sign-ins by the API and by pages, which counts and logs their outcomes. The email is logged
 * only if it belongs to a user. For every email a tag is logged: a keyed hash that is the same in all lines of this
 * process. The key of the hash is only in memory.
 */
export function createRecorded({ log, signIns }: SignInOutcomePorts): Recorded {
  const tagKey = randomBytes(32);
  return (signIn) => async (request, credentials) => {
    const { address } = request;
    let known: Email | null = null;
    const onUser = (user: Email) => {
      known = user;
    };
    // The type of the input is not known here, only that these two members are what the caller leaves out.
    const attempt = { ...credentials, address, onUser } as Parameters<typeof signIn>[0];
    const note = (outcome: SignInOutcome) => {
      signIns.inc(outcome);
      log.info(
        {
          kind: 'sign_in',
          request_id: request.id,
          outcome,
          // An email that belongs to no user is not logged: it may be a password that was typed into the wrong field.
          email: known,
          email_tag: createHmac('sha256', tagKey).update(emailKey(attempt.email)).digest('hex').slice(0, 12),
          address,
        },
        'a sign-in was attempted',
      );
    };
    const signedIn = await signIn(attempt).catch((fault) => {
      note(fault instanceof UnavailableFault || fault instanceof SetupFault ? 'unavailable' : 'failed');
      throw fault;
    });
    note(signedIn.ok ? 'accepted' : signedIn.error.code);
    return signedIn;
  };
}
