import type { ProviderLogOut } from '@gatehouse/domain/identity-providers';
import type { Clock, Instant } from '@gatehouse/domain/time';
import { jwtVerify } from 'jose';
import type { Exchange } from './bounded-fetch.ts';
import { ExchangeError } from './exchange-error.ts';
import { isObject } from './json-object.ts';
import { readSession, readSubject } from './person.ts';
import type { ProviderKeys } from './provider-keys.ts';
import { CLOCK_TOLERANCE_S, type OpenIdProvider, SIGNATURE_ALGORITHMS } from './settings.ts';

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';

/** A provider posts the token at once, so an older one was kept. */
const LONGEST_AGE_S = 120;

/** Types that a log-out token may have. Keycloak wrote JWT before the type of its own existed. */
const TYPES = [undefined, 'jwt', 'logout+jwt', 'application/logout+jwt'];

interface Parts {
  readonly provider: OpenIdProvider;
  readonly keys: ProviderKeys;
  readonly exchange: Exchange;
  readonly clock: Clock;
}

/** Verifies a log-out token (OpenID Connect Back-Channel Logout 1.0 section 2.6). */
export async function readLogOutToken(
  { provider, keys, exchange, clock }: Parts,
  token: string,
): Promise<ProviderLogOut> {
  const { payload, protectedHeader } = await keys.verifyWith(exchange, (key) =>
    jwtVerify(token, key, {
      algorithms: SIGNATURE_ALGORITHMS,
      issuer: provider.issuer,
      audience: provider.clientId,
      requiredClaims: ['iat', 'jti', 'events'],
      maxTokenAge: LONGEST_AGE_S,
      clockTolerance: CLOCK_TOLERANCE_S,
      currentDate: new Date(clock.now()),
    }),
  );
  const malformed = (detail: string) => new ExchangeError('answer_malformed', `the log-out token ${detail}`);
  if (!TYPES.includes(protectedHeader.typ?.toLowerCase())) throw malformed('has another type');
  // An ID token has no events and may have a nonce, so one that leaked ends no session.
  if (!isObject(payload.events) || !isObject(payload.events[EVENT]))
    throw malformed('is not about a log-out');
  if (payload.nonce !== undefined) throw malformed('has a nonce, as only ID tokens have');
  if (typeof payload.jti !== 'string' || payload.jti === '') throw malformed('has no id (jti)');
  const subject = payload.sub === undefined ? null : readSubject(payload.sub);
  const providerSession = readSession(payload.sid);
  if (subject === null && providerSession === null) throw malformed('names neither a person nor a session');
  return {
    issuer: provider.issuer,
    subject,
    providerSession,
    issuedAt: (Number(payload.iat) * 1000) as Instant,
  };
}
