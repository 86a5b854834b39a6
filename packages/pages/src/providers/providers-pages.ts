import { SIGN_IN_LOG_OUT, SIGN_IN_METHODS, SIGN_IN_RETURN, SIGN_IN_WITH } from '../paths.ts';
import type { PagePorts } from '../ports.ts';
import type { PageTable, SignedIn } from '../session/signed-in.ts';
import { logOutEndpoint } from './log-out-endpoint.ts';
import { signInMethodsPage } from './sign-in-methods.ts';
import { signInReturnEndpoint } from './sign-in-return.ts';
import { signInWithEndpoint } from './sign-in-with.ts';

/** The pages of the sign-in with identity providers, by their paths. */
export const providersPages = (ports: PagePorts, signedIn: SignedIn): PageTable => ({
  [`${SIGN_IN_WITH}/:provider`]: signInWithEndpoint(ports),
  [`${SIGN_IN_RETURN}/:provider`]: signInReturnEndpoint(ports),
  [`${SIGN_IN_LOG_OUT}/:provider`]: logOutEndpoint(ports),
  [SIGN_IN_METHODS]: signedIn(signInMethodsPage(ports)),
});
