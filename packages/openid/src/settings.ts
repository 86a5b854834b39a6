import type { Provider } from '@gatehouse/domain/identity-providers';

/** An identity provider of the settings, with what the adapter needs to talk to it. */
export interface OpenIdProvider extends Provider {
  readonly clientId: string;
  /**
   * Returns the client secret. It is read for each exchange, so a secret that was replaced is used at once. Undefined for
   * a public client, which has no secret and relies on PKCE.
   */
  readonly clientSecret: (() => string) | undefined;
  /** The scopes that are asked for. `openid` is one of them. */
  readonly scopes: readonly string[];
}

/** The limits of what a provider can cost Gatehouse. Times are in milliseconds. */
export interface ExchangeLimits {
  /** The longest time that `begin` and `readLogOut` take, without the wait for a place. */
  readonly beginMs: number;
  /** The longest time that `redeem` takes, with every request that it needs. */
  readonly redeemMs: number;
  /** The longest time of a read that exchanges share. It ends before the exchanges that wait for it. */
  readonly readMs: number;
  /** The largest body of an answer, in bytes after decompression. */
  readonly bytes: number;
  /** The largest number of keys that a provider may publish. */
  readonly keys: number;
  /** A provider that did not answer is not asked again for this time. */
  readonly pauseMs: number;
  /**
   * The number of sign-ins that talk to one provider at the same time, and of those that wait for a place. Log-outs have
   * as many places of their own.
   */
  readonly concurrency: number;
  readonly waiting: number;
  /** The ages from which the discovery document and the keys are read again. */
  readonly discoveryAgeMs: number;
  readonly keysAgeMs: number;
  /** Keys that are younger are not read again for a token that none of them fits. */
  readonly freshKeysMs: number;
}

export const DEFAULT_LIMITS: ExchangeLimits = {
  beginMs: 5000,
  redeemMs: 10_000,
  readMs: 4000,
  bytes: 256 * 1024,
  keys: 100,
  pauseMs: 3000,
  concurrency: 8,
  waiting: 100,
  discoveryAgeMs: 3_600_000,
  keysAgeMs: 600_000,
  freshKeysMs: 5000,
};

/**
 * The algorithms with which a provider may sign. All are asymmetric: with `none` anyone could make a token, and with HS256
 * anyone could who takes the published key for a secret (RFC 8725 section 2.1).
 */
export const SIGNATURE_ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA'];

/** The largest difference of the provider's clock and ours that is not an error, in seconds. */
export const CLOCK_TOLERANCE_S = 30;
