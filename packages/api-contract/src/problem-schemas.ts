import { z } from 'zod';
import { PROBLEMS, type ProblemName } from './problems.ts';

/** One field of the request's body that was not valid. */
export const fieldError = z.strictObject({ field: z.string(), message: z.string() });

export type FieldError = z.infer<typeof fieldError>;

/** What an error answer looks like that is one of these problems. */
export function problemAnswer(...names: readonly [ProblemName, ...ProblemName[]]) {
  const problems = names.map((name) => PROBLEMS[name]);
  const shape = {
    type: z.literal(problems.map(({ type }) => type)),
    title: z.literal(problems.map(({ title }) => title)),
    status: z.literal(problems.map(({ status }) => status)),
  };
  return names.includes('invalid_input')
    ? z.strictObject({ ...shape, errors: z.array(fieldError).min(1) })
    : z.strictObject(shape);
}
