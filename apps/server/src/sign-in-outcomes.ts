import { type Result, SetupFault, UnavailableFault } from '@gatehouse/domain';
import type { SignInError } from '@gatehouse/domain/sign-in';
import { parseEmail } from '@gatehouse/domain/users';
import type { H3Event } from 'h3';
import type { Logger } from 'pino';
import type { ClientAddress } from './http/client-address.ts';
import { nodeRequest, requestId } from './http/request.ts';
import { SIGN_IN_LINE } from './log-buffers.ts';

/** The outcome of a sign-in; `unavailable` and `failed` if it is not known. */
export type SignInOutcome = 'accepted' | SignInError['code'] | 'unavailable' | 'failed';

export interface SignInOutcomePorts {
  readonly clientAddress: ClientAddress;
  readonly log: Logger;
  readonly signIns: { inc(outcome: SignInOutcome): void };
}

interface Attempt {
  readonly email: string;
  readonly password: string;
  /** The client's IP address. */
  readonly address: string;
}

/** Runs a sign-in, of the API or of a page, and counts and logs its outcome. */
export type NoteSignIn = <Value, E extends { readonly code: SignInError['code'] }>(
  event: H3Event,
  credentials: Omit<Attempt, 'address'>,
  signIn: (attempt: Attempt) => Promise<Result<Value, E>>,
) => Promise<Result<Value, E>>;

export function createNoteSignIn({ clientAddress, log, signIns }: SignInOutcomePorts): NoteSignIn {
  return async (event, { email, password }, signIn) => {
    const address = clientAddress(nodeRequest(event));
    const note = (outcome: SignInOutcome) => {
      signIns.inc(outcome);
      log.info(
        {
          request_id: requestId(event),
          outcome,
          // Text that is not an address may be a password in the wrong field.
          email: parseEmail(email).ok ? email : null,
          address,
        },
        SIGN_IN_LINE,
      );
    };
    const signedIn = await signIn({ email, password, address }).catch((fault) => {
      note(fault instanceof UnavailableFault || fault instanceof SetupFault ? 'unavailable' : 'failed');
      throw fault;
    });
    note(signedIn.ok ? 'accepted' : signedIn.error.code);
    return signedIn;
  };
}
