import { ROUTES } from '@gatehouse/api-contract';
import type { SignIn } from '@gatehouse/domain/sign-in';
import { serveRoute } from '../http/served-route.ts';
import { createNoteSignIn, type SignInOutcomePorts } from '../sign-in-outcomes.ts';

export interface SignInRoutePorts extends SignInOutcomePorts {
  readonly signIn: SignIn;
}

export function signInRoute({ signIn, ...ports }: SignInRoutePorts) {
  const noteSignIn = createNoteSignIn(ports);
  return serveRoute(ROUTES.signIn, {
    handle: ({ body }, event) => noteSignIn(event, body, signIn),
    toBody: (token) => ({ token }),
  });
}
