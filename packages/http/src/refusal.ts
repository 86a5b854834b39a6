import type { InvalidInput } from '@gatehouse/domain';
import type { AccessDenied } from '@gatehouse/domain/access';
import type { TokenChangesRefusal } from '@gatehouse/domain/services';
import type { SignInError } from '@gatehouse/domain/sign-in';
import { recordDenial, type UsageRecorder } from '@gatehouse/domain/tokens';
import type { ProblemName } from '@gatehouse/extension-kit/http';
import { type Answer, withHeader } from './answer.ts';
import { NO_TOKEN } from './identify.ts';
import { challenge, invalidFields, PROBLEM_ANSWERS } from './problem.ts';
import type { HttpRequest, RequestCaller } from './request.ts';

/**
 * The errors of the use cases that routes call. If a use case can return an error that its route does not describe, the
 * route does not compile.
 */
export type Refusal = AccessDenied | SignInError | InvalidInput | TokenChangesRefusal;

const PROBLEM_OF = {
  changes_unknown: 'unavailable',
  credentials_not_accepted: 'credentials_not_accepted',
  hashing_busy: 'overloaded',
  insufficient_scope: 'insufficient_scope',
  invalid_input: 'invalid_input',
  // The server refuses to start with a wrong master key. After the start, this error is a bug.
  master_key_rejected: 'internal_error',
  network_not_allowed: 'network_not_allowed',
  no_active_key: 'unavailable',
  not_allowed: 'not_allowed',
  not_found: 'not_found',
  token_not_accepted: 'token_not_accepted',
  too_many_attempts: 'too_many_attempts',
  too_many_streams: 'too_many_streams',
} as const satisfies Record<Refusal['code'], ProblemName>;

/** The errors of use cases that are answered with one of the problems in `Name`. */
export type RefusalOf<Name extends ProblemName> = {
  [Code in Refusal['code']]: (typeof PROBLEM_OF)[Code] extends Name
    ? Extract<Refusal, { readonly code: Code }>
    : never;
}[Refusal['code']];

const ACCESS_DENIED = {
  token_not_accepted: true,
  insufficient_scope: true,
  network_not_allowed: true,
  not_allowed: true,
  not_found: true,
} as const satisfies Record<AccessDenied['code'], true>;

/** Whether the error is about the caller's access, and not about the input. */
function isAccessDenied(error: Refusal): error is AccessDenied {
  return Object.hasOwn(ACCESS_DENIED, error.code);
}

/** Returns the answer for an error of a use case. */
function refusal(error: Refusal, answers: typeof PROBLEM_ANSWERS): Answer {
  const answer = answers[PROBLEM_OF[error.code]];
  switch (error.code) {
    case 'insufficient_scope':
      return withHeader(answer, challenge(`"insufficient_scope", scope="${error.scope}"`));
    case 'invalid_input':
      return invalidFields('invalid_input', error.problems);
    case 'too_many_attempts':
      return withHeader(answer, ['retry-after', String(error.retryAfterSeconds)]);
    default:
      return answer;
  }
}

export interface RefusePorts {
  readonly usage: Pick<UsageRecorder, 'refused'>;
  readonly refusalLog: RefusalLog;
}

/**
 * Logs a refused token or credential, or a request that its token does not allow. These lines show operators when
 * someone tries to guess tokens or ids.
 */
export type RefusalLog = (request: HttpRequest, reason: string) => void;

/**
 * Creates the function that returns the answer for an error. If access was denied, the function also logs the denial
 * and records it in the usage of the token.
 */
export function createRefuse({ usage, refusalLog }: RefusePorts, answers = PROBLEM_ANSWERS) {
  return (request: HttpRequest, error: Refusal): Answer => {
    const { caller } = request;
    if (!caller || !isAccessDenied(error)) return refusal(error, answers);
    if (caller.kind !== 'service') recordDenial(usage, caller, error);
    if (caller !== NO_TOKEN) refusalLog(request, reasonFor(caller, error));
    // A caller without a token is told only that a token is required.
    const isMissing = caller === NO_TOKEN && error.code === 'token_not_accepted';
    return isMissing ? answers.token_required : refusal(error, answers);
  };
}

function reasonFor(caller: RequestCaller, { code }: AccessDenied): string {
  if (caller.kind === 'refused') return caller.reason;
  // The credential of the service was accepted from memory, but had ended.
  return caller.kind === 'service' && code === 'token_not_accepted' ? 'credential_not_accepted' : code;
}
