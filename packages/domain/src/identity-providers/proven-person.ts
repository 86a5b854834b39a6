import type { Instant } from '../time/instant.ts';

/** Identifies a person at all providers: the claims `iss` and `sub` (OpenID Connect Core 1.0 section 2). */
export interface Identity {
  readonly issuer: string;
  /** 1 to 255 ASCII characters, compared exactly. */
  readonly subject: string;
}

/** The statements of a provider about a person who has just signed in there. The adapter has verified the ID token. */
export interface ProvenPerson extends Identity {
  /** Null if the provider names no address. */
  readonly email: string | null;
  /** Whether `email_verified` is the boolean true. The text "true" is not. */
  readonly isEmailVerified: boolean;
  readonly name: string | null;
  /**
   * The values of the claim of the provider's `RoleRules`; null if the provider did not send the claim or has no rules.
   * `too-many`: the provider left the values out because they are too many (Entra ID, over 200 groups).
   */
  readonly roleValues: readonly string[] | 'too-many' | null;
  /** When the person entered a password or the like at the provider (`auth_time`); null if the provider does not say. */
  readonly authenticatedAt: Instant | null;
  /** The provider's session (`sid`), which a back-channel log-out names; null if the provider does not say. */
  readonly providerSession: string | null;
}
