import { err, type Result } from '@gatehouse/domain';

/**
 * Handles the error of a statement. If the statement violated this constraint, returns the expected error. Otherwise
 * throws the error again.
 */
export function expectViolation<E>(constraint: string, expected: E) {
  return (error: unknown): Result<never, E> => {
    if (error instanceof Error && 'constraint' in error && error.constraint === constraint) {
      return err(expected);
    }
    throw error;
  };
}
