import type { FieldError } from '@gatehouse/api-contract';
import { PROBLEMS, type Problem, type ProblemName } from '@gatehouse/extension-kit/http';
import type { Answer, Header } from './answer.ts';

const PROBLEM_TYPE: Header = ['content-type', 'application/problem+json'];
/** An error is not worth keeping: the next answer may be another. */
const NO_STORE: Header = ['cache-control', 'no-store'];

/** Makes the answer for a problem; for a constant, where nothing in it depends on the request. */
export function problemAnswer(name: ProblemName, ...headers: readonly Header[]): Answer {
  return problem(PROBLEMS[name], headers);
}

/** The answer that names every field that was not valid. */
export function invalidFields(
  name: 'invalid_input' | 'invalid_query',
  errors: readonly FieldError[],
): Answer {
  const body: Problem & { errors: readonly FieldError[] } = { ...PROBLEMS[name], errors };
  return problem(body, []);
}

/** For problems that are no part of the interface, such as those of the second listener. */
export function problem(body: Problem, headers: readonly Header[]): Answer {
  return { status: body.status, headers: [PROBLEM_TYPE, NO_STORE, ...headers], body: JSON.stringify(body) };
}

/** How long to wait before trying again what did not work for reasons of ours. */
export const RETRY_SOON: Header = ['retry-after', '1'];
