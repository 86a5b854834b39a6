import type { Clock } from '@gatehouse/domain/time';
import * as openid from 'openid-client';
import type { Exchange } from './bounded-fetch.ts';
import type { Discovered } from './discovery.ts';
import { ExchangeError } from './exchange-error.ts';
import { CLOCK_TOLERANCE_S, type OpenIdProvider, SIGNATURE_ALGORITHMS } from './settings.ts';

/** Configures the library for one exchange: its requests go through the exchange, and its time is that of the clock. */
export function createClient(
  { clientId, clientSecret, issuer }: OpenIdProvider,
  { metadata, clientAuthentication }: Discovered,
  { fetch }: Exchange,
  clock: Clock,
): openid.Configuration {
  const config = new openid.Configuration(
    { ...metadata, id_token_signing_alg_values_supported: SIGNATURE_ALGORITHMS },
    clientId,
    {
      [openid.clockSkew]: Math.round((clock.now() - Date.now()) / 1000),
      [openid.clockTolerance]: CLOCK_TOLERANCE_S,
    },
    authenticateBy(clientSecret, clientAuthentication),
  );
  config[openid.customFetch] = fetch;
  // `parseSafeAddress` has checked every address: only those of the machine itself have http.
  if (issuer.startsWith('http:')) openid.allowInsecureRequests(config);
  return config;
}

/**
 * Returns how the client proves who it is. A secret goes into the body if the provider allows it: some providers decode a
 * secret in the header otherwise than RFC 6749 section 2.3.1 says, and then refuse one with special characters.
 */
function authenticateBy(
  clientSecret: OpenIdProvider['clientSecret'],
  offered: readonly string[],
): openid.ClientAuth {
  if (clientSecret === undefined) return openid.None();
  if (offered.includes('client_secret_post')) return openid.ClientSecretPost(clientSecret());
  if (offered.includes('client_secret_basic')) return openid.ClientSecretBasic(clientSecret());
  throw new ExchangeError(
    'provider_misconfigured',
    'the provider takes a client secret neither in the body nor in the header (client_secret_post, client_secret_basic)',
  );
}
