import type { AuthorizationRequest, ProvenPerson, Query } from '@gatehouse/domain/identity-providers';
import type { Clock, Instant } from '@gatehouse/domain/time';
import { compactVerify } from 'jose';
import * as openid from 'openid-client';
import type { Exchange } from './bounded-fetch.ts';
import { ExchangeError } from './exchange-error.ts';
import { type Claims, lacksClaims, readPerson, withMore } from './person.ts';
import type { ProviderKeys } from './provider-keys.ts';
import { CLOCK_TOLERANCE_S, type OpenIdProvider, SIGNATURE_ALGORITHMS } from './settings.ts';

interface Parts {
  readonly provider: OpenIdProvider;
  readonly client: openid.Configuration;
  readonly keys: ProviderKeys;
  readonly exchange: Exchange;
  readonly clock: Clock;
}

/**
 * Redeems a code. The library checks `state` and `iss` of the query, asks the provider, and checks the claims `iss`, `aud`,
 * `exp`, `nonce` and `auth_time` and the algorithm. It leaves out the signature, because TLS has already proved who
 * answered; we verify it all the same, so that a proxy that opens TLS cannot say who a person is.
 */
export async function redeemCode(
  { provider, client, keys, exchange, clock }: Parts,
  query: Query,
  request: AuthorizationRequest,
): Promise<ProvenPerson> {
  const address = new URL(request.redirectUri);
  for (const [name, value] of query) address.searchParams.append(name, value);
  const answer = await openid.authorizationCodeGrant(client, address, {
    expectedState: request.state,
    expectedNonce: request.nonce,
    pkceCodeVerifier: request.codeVerifier,
    idTokenExpected: true,
    ...(request.mustAuthenticate ? { maxAge: secondsSince(request.begunAt, clock) } : {}),
  });
  const idToken = `${answer.id_token}`;
  await keys.verifyWith(exchange, (key) => compactVerify(idToken, key, { algorithms: SIGNATURE_ALGORITHMS }));
  const claims: Claims = { ...answer.claims() };
  checkIssueTime(claims, clock);
  checkAuthorizedParty(claims, provider.clientId);
  if (!lacksClaims(claims, provider) || client.serverMetadata().userinfo_endpoint === undefined)
    return readPerson(claims, provider);
  // A provider that follows OpenID Connect Core 1.0 section 5.4 sends the email and the name only in this answer.
  const more = await openid.fetchUserInfo(client, answer.access_token, `${claims.sub}`);
  return readPerson(withMore(claims, { ...more }), provider);
}

/** A second step of the provider takes its time, so the person may have authenticated at any time of the attempt. */
const secondsSince = (begunAt: Instant, clock: Clock) =>
  Math.max(0, Math.ceil((clock.now() - begunAt) / 1000));

function checkIssueTime({ iat }: Claims, clock: Clock): void {
  if (Number(iat) > clock.now() / 1000 + CLOCK_TOLERANCE_S)
    throw new ExchangeError('id_token_expired', 'the ID token was issued in the future: compare the clocks');
}

/** The library checks the authorized party only of a token with several audiences. */
function checkAuthorizedParty({ azp }: Claims, clientId: string): void {
  if (azp !== undefined && azp !== clientId)
    throw new ExchangeError('audience_mismatch', 'the ID token was issued to another client (azp)');
}
