import { err, ok, type Result } from './result.ts';

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

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

/**
 * Checks a name that people read: 1 to 200 characters, no control characters, no space at either end.
 * Lone surrogates are refused because no database column and no UTF-8 answer can hold them.
 */
export function checkName(field: string, text: string): Result<string, InvalidInput> {
  if (text.length < 1 || text.length > 200) {
    return err(invalidInput({ field, message: 'must be 1 to 200 characters long' }));
  }
  if (text.trim() !== text)
    return err(invalidInput({ field, message: 'must not begin or end with a space' }));
  if (CONTROL.test(text) || !text.isWellFormed()) {
    return err(invalidInput({ field, message: 'must not hold control characters or lone surrogates' }));
  }
  return ok(text);
}
