import type { ServerMetadata } from 'openid-client';
import type { Exchange } from './bounded-fetch.ts';
import { ExchangeError, quoted } from './exchange-error.ts';
import { parseJsonObject } from './json-object.ts';
import { parseSafeAddress } from './safe-address.ts';
import { SIGNATURE_ALGORITHMS } from './settings.ts';

/** The discovery document of a provider, without what Gatehouse does not use. */
export interface Discovered {
  readonly metadata: ServerMetadata & { readonly jwks_uri: string };
  /** The methods of client authentication that the provider supports. */
  readonly clientAuthentication: readonly string[];
  /** The whole document, for `test`. */
  readonly document: Readonly<Record<string, unknown>>;
}

const REQUIRED = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const;

/** Returns the address of the discovery document (OpenID Connect Discovery 1.0 section 4). */
export function discoveryAddress(issuer: string): string {
  return `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
}

/** Reads and checks the discovery document. Throws an `ExchangeError` that says what would be right. */
export async function discover(issuer: string, { fetch }: Exchange): Promise<Discovered> {
  const address = discoveryAddress(issuer);
  const answer = await fetch(address, {
    method: 'GET',
    headers: { accept: 'application/json' },
    body: undefined,
    redirect: 'manual',
  });
  if (answer.status >= 500 || answer.status === 429)
    throw new ExchangeError('provider_unreachable', `${address} answers with status ${answer.status}`);
  if (answer.status !== 200)
    throw new ExchangeError('provider_misconfigured', `${address} answers with status ${answer.status}`);
  const document = parseJsonObject(await answer.text());
  if (document === undefined)
    throw new ExchangeError('provider_misconfigured', `${address} is not a JSON object`);
  return read(issuer, document);
}

function read(issuer: string, document: Readonly<Record<string, unknown>>): Discovered {
  if (document.issuer !== issuer) {
    throw new ExchangeError(
      'provider_misconfigured',
      `the discovery document is of the issuer ${quoted(document.issuer)}, not of ${issuer}`,
    );
  }
  const endpoint = (name: string): string => {
    const address = parseSafeAddress(document[name], issuer);
    if (address !== undefined) return address.href;
    const problem = document[name] === undefined ? 'is missing' : 'is not an address with https';
    throw new ExchangeError('provider_misconfigured', `${name} of the discovery document ${problem}`);
  };
  const offered = textsOf(document.id_token_signing_alg_values_supported) ?? ['RS256'];
  const algorithms = SIGNATURE_ALGORITHMS.filter((algorithm) => offered.includes(algorithm));
  if (algorithms.length === 0) {
    throw new ExchangeError(
      'provider_misconfigured',
      `the provider signs ID tokens with none of ${SIGNATURE_ALGORITHMS.join(', ')}`,
    );
  }
  const [authorization_endpoint, token_endpoint, jwks_uri] = REQUIRED.map(endpoint) as [
    string,
    string,
    string,
  ];
  return {
    metadata: {
      issuer,
      authorization_endpoint,
      token_endpoint,
      jwks_uri,
      ...(document.userinfo_endpoint === undefined
        ? {}
        : { userinfo_endpoint: endpoint('userinfo_endpoint') }),
      authorization_response_iss_parameter_supported:
        document.authorization_response_iss_parameter_supported === true,
    },
    clientAuthentication: textsOf(document.token_endpoint_auth_methods_supported) ?? ['client_secret_basic'],
    document,
  };
}

/** Returns the texts of a list; undefined for anything else. */
export function textsOf(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : undefined;
}
