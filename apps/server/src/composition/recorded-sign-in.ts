import { createHmac, randomBytes } from 'node:crypto';
import { SetupFault, UnavailableFault } from '@gatehouse/domain';
import { type Email, emailKey } from '@gatehouse/domain/users';
import type { Recorded, SignInFailure } from '@gatehouse/pages';
import type { Log } from '../logging/line-kind.ts';

/**
 * The outcome of a sign-in. `second_factor_required`: the password was right, and the code is asked for. `unavailable`:
 * something that the sign-in needs, such as the database, did not work. `failed`: a bug.
 */
export type SignInOutcome = 'accepted' | SignInFailure | 'unavailable' | 'failed';

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
  const tagOf = (email: string | null) =>
    email === null ? null : createHmac('sha256', tagKey).update(emailKey(email)).digest('hex').slice(0, 12);
  return (signIn) => async (request, credentials) => {
    const { address } = request;
    let known: Email | null = null;
    const onUser = (user: Email) => {
      known = user;
    };
    // The type of the input is not known here, only that these two members are what the caller leaves out.
    const attempt = { ...credentials, address, onUser } as Parameters<typeof signIn>[0];
    const typed = 'email' in attempt && typeof attempt.email === 'string' ? attempt.email : undefined;
    const note = (outcome: SignInOutcome) => {
      signIns.inc(outcome);
      log.info(
        {
          kind: 'sign_in',
          request_id: request.id,
          outcome,
          // An email that belongs to no user is not logged: it may be a password that was typed into the wrong field.
          email: known,
          email_tag: tagOf(typed ?? known),
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
