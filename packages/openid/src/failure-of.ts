import type { ProviderFailure, ProviderFailureReason } from '@gatehouse/domain/identity-providers';
import { errors } from 'jose';
import * as openid from 'openid-client';
import { ExchangeError, quoted } from './exchange-error.ts';
import { isObject } from './json-object.ts';

/** The reason of each error with which a provider sends the browser back (RFC 6749 section 4.1.2.1). Any other: denied. */
const ANSWERED: Readonly<Record<string, ProviderFailureReason>> = {
  temporarily_unavailable: 'provider_unreachable',
  server_error: 'provider_unreachable',
  invalid_request: 'provider_misconfigured',
  invalid_scope: 'provider_misconfigured',
  unauthorized_client: 'provider_misconfigured',
  unsupported_response_type: 'provider_misconfigured',
};

const OF_CLAIM: Readonly<Record<string, ProviderFailureReason>> = {
  iss: 'issuer_mismatch',
  aud: 'audience_mismatch',
  azp: 'audience_mismatch',
  nonce: 'nonce_mismatch',
  exp: 'id_token_expired',
  nbf: 'id_token_expired',
  iat: 'id_token_expired',
  auth_time: 'authentication_too_old',
};

/** Returns the failure of an exchange that threw. An error that no provider can cause is a fault and is thrown again. */
export function failureOf(error: unknown): ProviderFailure {
  const ours = causesOf(error).find((cause) => cause instanceof ExchangeError);
  const found =
    ours ??
    causesOf(error)
      .map(read)
      .find((each) => each !== undefined);
  if (found === undefined) throw error;
  return found.failure;
}

function causesOf(error: unknown): readonly Error[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : [];
}

function read(error: Error): ExchangeError | undefined {
  if (error instanceof openid.AuthorizationResponseError) {
    const reason = ANSWERED[error.error] ?? 'provider_denied';
    return new ExchangeError(reason, `the provider sent the browser back with ${quoted(error.error)}`);
  }
  if (error instanceof openid.ResponseBodyError) {
    const reason = error.error === 'invalid_grant' ? 'code_not_accepted' : 'provider_misconfigured';
    return new ExchangeError(reason, `the provider answered with ${quoted(error.error)}`);
  }
  if (error instanceof openid.WWWAuthenticateChallengeError)
    return new ExchangeError(
      'provider_misconfigured',
      'the provider does not accept the client or its secret',
    );
  if (error instanceof errors.JOSEError) return ofSignature(error);
  if (error instanceof openid.ClientError) return ofAnswer(error);
  return undefined;
}

function ofSignature(error: errors.JOSEError): ExchangeError {
  const isClaim = error instanceof errors.JWTClaimValidationFailed || error instanceof errors.JWTExpired;
  if (isClaim) return ofClaim(error.claim);
  if (error instanceof errors.JOSEAlgNotAllowed)
    return new ExchangeError(
      'algorithm_not_allowed',
      'the token is signed with an algorithm that is not allowed',
    );
  if (error instanceof errors.JWKSNoMatchingKey)
    return new ExchangeError('signature_invalid', 'the provider does not publish the key of the token');
  if (error instanceof errors.JWTInvalid || error instanceof errors.JWSInvalid)
    return new ExchangeError('answer_malformed', 'the token is not a JWT');
  return new ExchangeError('signature_invalid', 'the signature of the token is not by a key of the provider');
}

function ofClaim(claim: string, problem = 'is not as required'): ExchangeError {
  const known = claim in OF_CLAIM ? claim : 'another claim';
  return new ExchangeError(OF_CLAIM[claim] ?? 'answer_malformed', `${known} of the token ${problem}`);
}

/** Reads an error of the library's checks by the facts in its cause, because its messages may change. */
function ofAnswer(error: openid.ClientError): ExchangeError {
  const facts = error.cause instanceof Error ? error.cause.cause : error.cause;
  if (facts instanceof Response) return ofStatus(facts.status);
  if (isObject(facts)) {
    if (typeof facts.claim === 'string') return ofClaim(facts.claim);
    if (isObject(facts.header) && 'expected' in facts) return ofSignature(new errors.JOSEAlgNotAllowed());
    if (facts.parameters instanceof URLSearchParams) return ofQuery(facts.parameters, facts.expected);
    const { claims } = facts;
    const missing = isObject(claims) && Object.keys(OF_CLAIM).find((name) => isMissing(claims, name));
    if (missing) return ofClaim(missing, 'is missing');
  }
  return new ExchangeError('answer_malformed', 'the answer of the provider is malformed');
}

/** The library requires these claims only if it expects them, and this is read only if one that it required is missing. */
const isMissing = (claims: Readonly<Record<string, unknown>>, name: string) =>
  !['azp', 'nbf'].includes(name) && claims[name] === undefined;

function ofStatus(status: number): ExchangeError {
  const detail = `the provider answered with status ${status}`;
  if (status >= 500 || status === 429) return new ExchangeError('provider_unreachable', detail);
  return new ExchangeError(status >= 400 ? 'provider_misconfigured' : 'answer_malformed', detail);
}

/** The library expects the issuer in `iss`, or the state in `state`. It expects nothing if `iss` is missing. */
function ofQuery(query: URLSearchParams, expected: unknown): ExchangeError {
  const isIssuer = expected === undefined ? !query.has('iss') : URL.canParse(`${expected}`);
  return isIssuer
    ? new ExchangeError(
        'issuer_mismatch',
        'the provider sent the browser back with another issuer, or with none',
      )
    : new ExchangeError('answer_malformed', 'the provider sent the browser back with another state');
}
