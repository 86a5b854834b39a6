import type { AttemptPurpose } from './attempt.ts';
import type { ProviderRefusal } from './refusals.ts';

/** The error of a sign-in with a provider that ends without a session, a link or a confirmation. */
export interface ProviderSignInRefused {
  readonly code: 'provider_sign_in_refused';
  readonly reason: ProviderRefusal;
  /** For the log only: which part of the exchange failed. Null if the reason says it all. */
  readonly detail: string | null;
  /** The purpose and the page that follows, if the attempt is known, so that the person can try again. */
  readonly purpose?: AttemptPurpose['kind'] | undefined;
  readonly next?: string | null | undefined;
}

export function refusedSignIn(
  reason: ProviderRefusal,
  rest: Partial<Omit<ProviderSignInRefused, 'code' | 'reason'>> = {},
): ProviderSignInRefused {
  return { code: 'provider_sign_in_refused', reason, detail: null, ...rest };
}
