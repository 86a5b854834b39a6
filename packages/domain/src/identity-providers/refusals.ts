/**
 * The reasons why a sign-in with an identity provider ends without a session, by the step that finds them, in the order
 * of the steps. The sentences for persons, the log, the metric and the table in the documents are derived from this
 * table, so none of them compiles while it lacks a reason.
 */
export const PROVIDER_REFUSALS = {
  provider_unknown: 'begin',
  confirmation_needed: 'begin',
  provider_unreachable: 'provider',
  provider_misconfigured: 'provider',
  attempt_unknown: 'return',
  attempt_of_other_browser: 'return',
  attempt_of_other_provider: 'return',
  provider_denied: 'provider',
  answer_malformed: 'provider',
  code_not_accepted: 'provider',
  issuer_mismatch: 'provider',
  audience_mismatch: 'provider',
  nonce_mismatch: 'provider',
  algorithm_not_allowed: 'provider',
  signature_invalid: 'provider',
  id_token_expired: 'provider',
  authentication_too_old: 'provider',
  identity_not_linked: 'person',
  email_not_verified: 'person',
  email_domain_not_listed: 'person',
  email_not_proved: 'person',
  account_not_served: 'person',
  user_is_break_glass: 'person',
  user_has_other_identity: 'person',
  identity_of_other_user: 'person',
  invitation_not_accepted: 'person',
  user_not_active: 'person',
  roles_left_out: 'role',
  no_role: 'role',
} as const satisfies Record<string, 'begin' | 'return' | 'provider' | 'person' | 'role'>;

export type ProviderRefusal = keyof typeof PROVIDER_REFUSALS;

/** The reasons that the adapter finds, because only it talks to the provider. */
export type ProviderFailureReason = {
  [Reason in ProviderRefusal]: (typeof PROVIDER_REFUSALS)[Reason] extends 'provider' ? Reason : never;
}[ProviderRefusal];

/** The error of an exchange with a provider. */
export interface ProviderFailure {
  readonly code: 'provider_sign_in_refused';
  readonly reason: ProviderFailureReason;
  /** For the log: the part of the exchange that failed, without a secret, a code or a token. */
  readonly detail: string;
}
