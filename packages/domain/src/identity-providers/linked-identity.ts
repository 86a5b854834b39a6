import type { Instant } from '../time/instant.ts';
import type { Identity } from './proven-person.ts';
import type { ProviderId } from './provider.ts';

/** An identity that is linked to a user. */
export interface LinkedIdentity extends Identity {
  readonly linkedAt: Instant;
  /** When the provider last proved that the person is still there. */
  readonly confirmedAt: Instant;
  /** The address that the provider named last; null if it named none. It decides nothing. */
  readonly email: string | null;
}

/** How a user can sign in. */
export interface SignInMeans {
  readonly identities: readonly LinkedIdentity[];
  /** False for a user who joined with a provider and never set a password. */
  readonly hasPassword: boolean;
  /** When the address was proved to belong to the user; null if it never was. */
  readonly emailProvedAt: Instant | null;
  /** When the operator marked the user for emergencies; null if the user is not marked. Such a user is never linked. */
  readonly breakGlassAt: Instant | null;
  /** Until when the operator opened the user's password on pages; null if it is not open. It may be in the past. */
  readonly passwordOpenUntil: Instant | null;
}

/** The identity provider that opened a session, and the names with which a back-channel log-out ends the session. */
export interface ProviderSession extends Identity {
  readonly provider: ProviderId;
  /** The provider's name of its own session (`sid`); null if it did not say. */
  readonly providerSession: string | null;
}
