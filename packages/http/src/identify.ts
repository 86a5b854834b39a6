import { type Awaitable, andThen } from '@gatehouse/domain';
import { type AuthenticateToken, refused } from '@gatehouse/domain/tokens';
import { bearerCredentials } from './bearer.ts';
import type { BearerCaller, HttpRequest } from './request.ts';
import { hasTokenElsewhere } from './token-elsewhere.ts';

/** The caller of every request without a token. */
export const NO_TOKEN = refused('no_token');

/** Makes what finds out whose request this is: `repeated` if it has more than one token. */
export function createIdentify(authenticateToken: AuthenticateToken) {
  return (request: HttpRequest): Awaitable<BearerCaller | 'repeated'> => {
    const credentials = bearerCredentials(request);
    if (typeof credentials === 'string') return credentials === 'none' ? NO_TOKEN : credentials;
    return andThen(hasTokenElsewhere(request), (hasOther) =>
      hasOther ? 'repeated' : authenticateToken(credentials.token, request.address),
    );
  };
}
