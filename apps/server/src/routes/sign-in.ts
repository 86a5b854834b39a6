import { ROUTES } from '@gatehouse/api-contract';
import type { SignIn } from '@gatehouse/domain/sign-in';
import { formatInstant } from '@gatehouse/domain/time';
import { serveRoute } from '@gatehouse/http';
import { createNoteSignIn, type SignInOutcomePorts } from '../sign-in-outcomes.ts';

export interface SignInRoutePorts extends SignInOutcomePorts {
  readonly signIn: SignIn;
}

export function signInRoute({ signIn, ...ports }: SignInRoutePorts) {
  const noteSignIn = createNoteSignIn(ports);
  return serveRoute(ROUTES.signIn, {
    handle: ({ body }, request) => noteSignIn(request, body, signIn),
    toBody: ({ secret }) => ({ token: secret }),
    toHeaders: ({ expiresAt }) => ({ 'X-Token-Expires-At': formatInstant(expiresAt) }),
  });
}
