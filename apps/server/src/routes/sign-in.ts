import { ROUTES } from '@gatehouse/api-contract';
import type { SignIn } from '@gatehouse/domain/sign-in';
import { formatInstant } from '@gatehouse/domain/time';
import { serveRoute } from '@gatehouse/http';
import type { NoteSignIn } from '@gatehouse/pages';

export interface SignInRoutePorts {
  readonly noteSignIn: NoteSignIn;
  readonly signIn: SignIn;
}

export function signInRoute({ signIn, noteSignIn }: SignInRoutePorts) {
  return serveRoute(ROUTES.signIn, {
    handle: ({ body }, request) => noteSignIn(request, body, signIn),
    toBody: ({ secret }) => ({ token: secret }),
    toHeaders: ({ expiresAt }) => ({ 'X-Token-Expires-At': formatInstant(expiresAt) }),
  });
}
