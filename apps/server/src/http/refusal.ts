import type { ProblemName } from '@gatehouse/api-contract';
import { type DomainError, type DomainErrorCode, SCOPES } from '@gatehouse/domain';
import type { Answer } from './answer.ts';
import { CHALLENGE, INVALID_TOKEN, insufficientScope } from './challenge.ts';
import { invalidInputAnswer, problemAnswer, RETRY_SOON } from './problem.ts';

/**
 * The problem for each outcome that is no success. What no endpoint of version 1 can run into would be a
 * mistake of ours: who adds the endpoint that can, gives it a problem of its own.
 */
const PROBLEM_OF = {
  account_not_found: 'internal_error',
  credentials_not_accepted: 'credentials_not_accepted',
  email_taken: 'internal_error',
  hashing_busy: 'overloaded',
  insufficient_scope: 'insufficient_scope',
  invalid_input: 'invalid_input',
  issuer_not_fit: 'internal_error',
  key_not_found: 'internal_error',
  key_not_usable: 'internal_error',
  key_state_conflict: 'internal_error',
  key_too_young: 'internal_error',
  last_admin: 'internal_error',
  master_key_rejected: 'internal_error',
  member_of_another_account: 'internal_error',
  no_active_key: 'unavailable',
  not_allowed: 'not_allowed',
  not_found: 'not_found',
  organization_not_found: 'internal_error',
  password_changed: 'internal_error',
  token_name_taken: 'internal_error',
  token_not_accepted: 'token_not_accepted',
  token_not_found: 'internal_error',
  too_many_attempts: 'too_many_attempts',
  user_not_found: 'internal_error',
} as const satisfies Record<DomainErrorCode, ProblemName>;

/** Made once: what is refused costs no more than what is answered. */
const CONSTANT: Readonly<Record<DomainErrorCode, Answer>> = {
  ...mapValues(PROBLEM_OF, (name) => problemAnswer(name)),
  // A 401 has a challenge (RFC 9110 section 15.5.2); the one scheme here is Bearer, for sign-ins too.
  credentials_not_accepted: problemAnswer('credentials_not_accepted', CHALLENGE),
  hashing_busy: problemAnswer('overloaded', RETRY_SOON),
  no_active_key: problemAnswer('unavailable', RETRY_SOON),
  token_not_accepted: problemAnswer('token_not_accepted', INVALID_TOKEN),
};

const INSUFFICIENT_SCOPE = new Map<string, Answer>(
  SCOPES.filter((scope) => scope !== '*').map((scope) => [
    scope,
    problemAnswer('insufficient_scope', insufficientScope(scope)),
  ]),
);

/** The answer for an outcome that is no success. */
export function refusal(error: DomainError): Answer {
  switch (error.code) {
    case 'insufficient_scope':
      return INSUFFICIENT_SCOPE.get(error.scope) ?? CONSTANT.insufficient_scope;
    case 'invalid_input':
      return invalidInputAnswer(error.problems);
    case 'too_many_attempts':
      return problemAnswer('too_many_attempts', ['retry-after', String(error.retryAfterSeconds)]);
    default:
      return CONSTANT[error.code];
  }
}

function mapValues<K extends string, V, W>(of: Readonly<Record<K, V>>, to: (value: V) => W): Record<K, W> {
  return Object.fromEntries(Object.entries<V>(of).map(([key, value]) => [key, to(value)])) as Record<K, W>;
}
