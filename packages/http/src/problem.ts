import { PROBLEMS, type Problem, type ProblemName } from '@gatehouse/extension-kit/http';
import type { z } from 'zod';
import type { Answer, Header } from './answer.ts';

const PROBLEM_TYPE: Header = ['content-type', 'application/problem+json'];
/** An error must not be cached, because the next request may succeed. */
const NO_STORE: Header = ['cache-control', 'no-store'];
/** The header that tells clients when to try again after a failure of the server. */
const RETRY_SOON: Header = ['retry-after', '1'];

/** The challenge of the Bearer scheme (RFC 6750 section 3); without an error if the request had no credentials. */
export function challenge(error = ''): Header {
  return ['www-authenticate', `Bearer realm="gatehouse"${error && `, error=${error}`}`];
}

const HEADERS: Readonly<Partial<Record<ProblemName, Header>>> = {
  repeated_authorization: challenge('"invalid_request"'),
  token_required: challenge(),
  token_not_accepted: challenge('"invalid_token"'),
  // Each 401 needs a challenge (RFC 9110 section 15.5.2), also one to a sign-in. Bearer is the only scheme that the server has.
  credentials_not_accepted: challenge(),
  overloaded: RETRY_SOON,
  unavailable: RETRY_SOON,
};

/** The answer for each problem. It is made once, so that a refusal costs no more than an answer. */
export const PROBLEM_ANSWERS = Object.fromEntries(
  Object.entries(PROBLEMS).map(([name, body]) => {
    const header = HEADERS[name as ProblemName];
    return [name, problem(body, ...(header ? [header] : []))];
  }),
) as Readonly<Record<ProblemName, Answer>>;

/** A field of a body or a parameter of a query that is not valid, by its path, and why. */
export interface FieldError {
  readonly field: string;
  readonly message: string;
}

/** Returns the answer that lists all invalid fields. */
export function invalidFields(name: 'invalid_input' | 'invalid_query', errors: readonly FieldError[]) {
  const body = { ...PROBLEMS[name], errors };
  return problem(body);
}

/** Every field that a schema refuses, by its path; `whole` names the input itself. */
export function fieldErrors({ issues }: z.ZodError, whole: string): readonly FieldError[] {
  return issues.map(({ path, message }) => ({ field: path.join('.') || whole, message }));
}

/** Makes the answer for a problem that is not part of the interface, such as a problem of the operations listener. */
export function problem(body: Problem, ...headers: readonly Header[]): Answer {
  return { status: body.status, headers: [PROBLEM_TYPE, NO_STORE, ...headers], body: JSON.stringify(body) };
}
