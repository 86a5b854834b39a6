import { ROUTES } from '@gatehouse/api-contract';
import { UnavailableFault } from '@gatehouse/domain';
import type { SignIn, SignInError } from '@gatehouse/domain/sign-in';
import { parseEmail } from '@gatehouse/domain/users';
import type { Logger } from 'pino';
import type { ClientAddress } from '../http/client-address.ts';
import { nodeRequest, requestId } from '../http/request.ts';
import { serveRoute } from '../http/served-route.ts';
import { SIGN_IN_LINE } from '../log-buffers.ts';

export interface SignInRoutePorts {
  readonly signIn: SignIn;
  readonly clientAddress: ClientAddress;
  readonly log: Logger;
  readonly signIns: { inc(outcome: SignInOutcome): void };
}

/** The outcome of a sign-in; `unavailable` and `failed` if it is not known. */
export type SignInOutcome = 'accepted' | SignInError['code'] | 'unavailable' | 'failed';

/** Counts and logs the outcome of each sign-in. */
export function signInRoute({ signIn, clientAddress, log, signIns }: SignInRoutePorts) {
  return serveRoute(ROUTES.signIn, {
    async handle({ body: { email, password } }, event) {
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
        note(fault instanceof UnavailableFault ? 'unavailable' : 'failed');
        throw fault;
      });
      note(signedIn.ok ? 'accepted' : signedIn.error.code);
      return signedIn;
    },
    toBody: (token) => ({ token }),
  });
}
