import type { ProviderRefusal } from '@gatehouse/domain/identity-providers';

const AGAIN = 'Try again.';
const OPERATORS = 'Tell the operators of Gatehouse.';
const FAULTY = `Your identity provider sent an answer that Gatehouse does not accept. ${OPERATORS}`;

/** Tells a user who has to confirm why the identity that the provider proved does not. */
export const OTHER_PERSON =
  'At your identity provider, you are signed in with an identity that is not linked to your user. Sign out there, and confirm with the identity that is linked.';

/** Tells a person why a sign-in with an identity provider ended, and what to do. */
export const REFUSAL_SENTENCES: Readonly<Record<ProviderRefusal, string>> = {
  provider_unknown: 'Gatehouse has no identity provider with this name. Start from the sign-in page.',
  confirmation_needed: 'Confirm first that it is you: enter your password, or sign in again.',
  provider_unreachable: `Your identity provider cannot be reached, or it answers too slowly. Try again in a moment.`,
  provider_misconfigured: `The identity provider is not set up correctly. ${OPERATORS}`,
  attempt_unknown: 'This sign-in took longer than 10 minutes, or it was already used. Try again.',
  attempt_of_other_browser:
    'This sign-in began in another browser or another session, or your browser blocks cookies. Nothing was changed. Try again here.',
  attempt_of_other_provider: `The answer came from another identity provider than the one that you chose. ${AGAIN}`,
  provider_denied: 'Your identity provider did not sign you in. You may have cancelled it there.',
  answer_malformed: FAULTY,
  code_not_accepted: `Your identity provider did not accept its own answer any more. ${AGAIN}`,
  issuer_mismatch: FAULTY,
  audience_mismatch: FAULTY,
  nonce_mismatch: FAULTY,
  algorithm_not_allowed: FAULTY,
  signature_invalid: FAULTY,
  id_token_expired: `The answer of your identity provider has expired, or a clock is wrong. ${AGAIN}`,
  authentication_too_old:
    'Your identity provider did not say that it asked you again. Sign out of Gatehouse, sign in with the provider again, and repeat what you wanted to do.',
  identity_not_linked:
    'No user of Gatehouse belongs to this identity. Ask an admin of your account for an invitation. If you have a password here, sign in with it, and link the identity on your profile.',
  email_not_verified:
    'Your identity provider did not confirm your email address. Sign in with your password, and link the identity on your profile.',
  email_domain_not_listed:
    'No user of Gatehouse belongs to this identity. If you have a password here, sign in with it, and link the identity on your profile. If not, ask an admin of your account for an invitation.',
  email_not_proved:
    'Gatehouse does not know whether your email address here is yours. Sign in with your password, and link the identity on your profile, or ask the operators to confirm the address.',
  account_not_served: 'Your account does not use this identity provider. Sign in in another way.',
  user_is_break_glass: 'This user is kept for emergencies, and does not sign in with an identity provider.',
  user_has_other_identity:
    'Your user is linked to another identity of this provider. Ask the operators to unlink it if the identity is yours.',
  identity_of_other_user:
    'This identity is linked to another user of Gatehouse. To link it here, that user has to unlink it first.',
  invitation_not_accepted: 'This invitation is not valid, or no longer valid. Ask for a new one.',
  user_not_active: 'Your user is disabled, or your account is suspended. Ask an admin of your account.',
  roles_left_out:
    'Your identity provider left out your groups, because they are too many. Ask the operators of Gatehouse to use application roles instead.',
  no_role: 'Your identity provider gives you no role in Gatehouse. Ask the admins of the provider.',
};
