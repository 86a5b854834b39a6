/** One field that was wrong, and what would be right. */
export interface FieldProblem {
  readonly field: string;
  readonly message: string;
}

/** The input was not what the use case takes; every wrong field is named at once. */
export interface InvalidInput {
  readonly code: 'invalid_input';
  readonly problems: readonly FieldProblem[];
}

export function invalidInput(...problems: readonly FieldProblem[]): InvalidInput {
  return { code: 'invalid_input', problems };
}
