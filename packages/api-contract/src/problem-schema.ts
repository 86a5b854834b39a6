import { PROBLEMS, type ProblemName } from '@gatehouse/extension-kit/http';
import { z } from 'zod';

/** One invalid field of the body or parameter of the query. */
const fieldError = z.strictObject({ field: z.string(), message: z.string() });

export type FieldError = z.infer<typeof fieldError>;

/** The schema of an error response with one of these problems. */
export function problemSchema(...names: readonly [ProblemName, ...ProblemName[]]) {
  const problems = names.map((name) => PROBLEMS[name]);
  const shape = {
    type: z.literal(problems.map(({ type }) => type)),
    title: z.literal(problems.map(({ title }) => title)),
    status: z.literal(problems.map(({ status }) => status)),
  };
  return names.some((name) => name === 'invalid_input' || name === 'invalid_query')
    ? z.strictObject({ ...shape, errors: z.array(fieldError).min(1) })
    : z.strictObject(shape);
}
