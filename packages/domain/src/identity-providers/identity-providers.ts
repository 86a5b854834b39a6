import type { Result } from '../result.ts';
import type { Instant } from '../time/instant.ts';
import type { ProvenPerson } from './proven-person.ts';
import type { Provider, ProviderId } from './provider.ts';
import type { ProviderFailure } from './refusals.ts';

/** The values that bind an answer of a provider to one attempt. All are made anew for each attempt. */
export interface AttemptBinding {
  readonly state: string;
  readonly nonce: string;
  /** The `code_verifier` of PKCE (RFC 7636). */
  readonly codeVerifier: string;
  /** The address of Gatehouse to which the provider sends the browser back. Each provider has its own. */
  readonly redirectUri: string;
}

export interface AuthorizationRequest extends AttemptBinding {
  /** Whether the person has to prove again who they are, although the provider still knows them. */
  readonly mustAuthenticate: boolean;
  /** When the attempt began. A person who has to prove who they are again does so after this time. */
  readonly begunAt: Instant;
  /** The address that the provider may propose; undefined if none is known. */
  readonly loginHint?: string | undefined;
}

/** The parameters of a query, each name with its value, in their order. */
export type Query = Iterable<readonly [name: string, value: string]>;

/** A verified log-out token (OpenID Connect Back-Channel Logout 1.0 section 2.4). It names a person, a session or both. */
export interface ProviderLogOut {
  readonly issuer: string;
  readonly subject: string | null;
  readonly providerSession: string | null;
  /** Only sessions that were opened before this time end, so a token that is sent again ends nothing new. */
  readonly issuedAt: Instant;
}

/** One result of a check of a provider. The texts are for operators and contain no secret. */
export interface ProviderFinding {
  readonly step: 'settings' | 'discovery' | 'endpoints' | 'keys' | 'credentials' | 'log-out';
  readonly verdict: 'ok' | 'note' | 'problem';
  readonly text: string;
}

/**
 * The identity providers of the settings. None is contacted before a person signs in, so a provider that is away stops
 * nothing else. Every exchange has a time limit, and the size of every answer is bounded.
 * Implementations pass `identityProvidersContract`.
 */
export interface IdentityProviders {
  /** In the order of the settings. */
  readonly all: readonly Provider[];

  /** Returns the address at the provider to which the browser goes. */
  begin(id: ProviderId, request: AuthorizationRequest): Promise<Result<string, ProviderFailure>>;

  /**
   * Redeems the code in the query with which the provider sent the browser back, and verifies the ID token: issuer,
   * audience, signature, algorithm, nonce and times, and `auth_time` if the person had to authenticate.
   */
  redeem(
    id: ProviderId,
    query: Query,
    request: AuthorizationRequest,
  ): Promise<Result<ProvenPerson, ProviderFailure>>;

  /** Verifies a log-out token, which the provider posted. */
  readLogOut(id: ProviderId, token: string): Promise<Result<ProviderLogOut, ProviderFailure>>;

  /** Contacts the provider and says what is wrong. Neither signs anyone in nor changes anything. */
  test(id: ProviderId, redirectUri: string | undefined): Promise<readonly ProviderFinding[]>;
}
