import type { AuthorizationRequest } from '@gatehouse/domain/identity-providers';
import * as openid from 'openid-client';

/** Returns the address at the provider to which the browser goes (OpenID Connect Core 1.0 section 3.1.2.1). */
export async function authorizationAddress(
  client: openid.Configuration,
  scopes: readonly string[],
  request: AuthorizationRequest,
): Promise<string> {
  const { state, nonce, codeVerifier, redirectUri, mustAuthenticate, loginHint } = request;
  return openid.buildAuthorizationUrl(client, {
    scope: scopes.join(' '),
    redirect_uri: redirectUri,
    state,
    nonce,
    code_challenge: await openid.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
    // With `max_age`, the provider must say when the person authenticated, which `prompt` alone does not prove.
    ...(mustAuthenticate ? { prompt: 'login', max_age: '0' } : {}),
    ...(loginHint === undefined ? {} : { login_hint: loginHint }),
  }).href;
}
