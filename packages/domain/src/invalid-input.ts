/** One invalid field, and what is expected of it. */
interface FieldProblem {
  readonly field: string;
  readonly message: string;
}

/** The input is invalid; all invalid fields are named. */
export interface InvalidInput {
  readonly code: 'invalid_input';
  readonly problems: readonly FieldProblem[];
}

export function invalidInput(...problems: readonly FieldProblem[]): InvalidInput {
  return { code: 'invalid_input', problems };
}
