import type { InvalidInput } from '@gatehouse/domain';
import { type AccessDenied, SCOPES } from '@gatehouse/domain/access';
import type { SignInError } from '@gatehouse/domain/sign-in';
import type { ProblemName } from '@gatehouse/extension-kit/http';
import type { Answer } from './answer.ts';
import { CHALLENGE, INVALID_TOKEN, insufficientScope } from './challenge.ts';
import { invalidFields, problemAnswer, RETRY_SOON } from './problem.ts';

/** The errors of the use cases that routes call. One that a route's problems do not cover does not compile there. */
export type Refusal = AccessDenied | SignInError | InvalidInput;

const PROBLEM_OF = {
  credentials_not_accepted: 'credentials_not_accepted',
  hashing_busy: 'overloaded',
  insufficient_scope: 'insufficient_scope',
  invalid_input: 'invalid_input',
  // Found out at the start: a defect, wherever else it shows.
  master_key_rejected: 'internal_error',
  no_active_key: 'unavailable',
  not_allowed: 'not_allowed',
  not_found: 'not_found',
  token_not_accepted: 'token_not_accepted',
  too_many_attempts: 'too_many_attempts',
} as const satisfies Record<Refusal['code'], ProblemName>;

/** Made once: what is refused costs no more than what is answered. */
const CONSTANT: Readonly<Record<Refusal['code'], Answer>> = {
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

/** The refusals that become one of these problems. */
export type RefusalOf<Name extends ProblemName> = Extract<
  Refusal,
  { readonly code: CodeOf<Name, keyof typeof PROBLEM_OF> }
>;

type CodeOf<Name, Code> = Code extends keyof typeof PROBLEM_OF
  ? (typeof PROBLEM_OF)[Code] extends Name
    ? Code
    : never
  : never;

const ACCESS_DENIED = {
  token_not_accepted: true,
  insufficient_scope: true,
  not_allowed: true,
  not_found: true,
} as const satisfies Record<AccessDenied['code'], true>;

/** Whether the caller was refused, and not what it sent. */
export function isAccessDenied(error: Refusal): error is AccessDenied {
  return Object.hasOwn(ACCESS_DENIED, error.code);
}

/** The answer for an outcome that is no success. */
export function refusal(error: Refusal): Answer {
  switch (error.code) {
    case 'insufficient_scope':
      return INSUFFICIENT_SCOPE.get(error.scope) ?? CONSTANT.insufficient_scope;
    case 'invalid_input':
      return invalidFields('invalid_input', error.problems);
    case 'too_many_attempts':
      return problemAnswer('too_many_attempts', ['retry-after', String(error.retryAfterSeconds)]);
    default:
      return CONSTANT[error.code];
  }
}

function mapValues<K extends string, V, W>(of: Readonly<Record<K, V>>, to: (value: V) => W): Record<K, W> {
  return Object.fromEntries(Object.entries<V>(of).map(([key, value]) => [key, to(value)])) as Record<K, W>;
}
