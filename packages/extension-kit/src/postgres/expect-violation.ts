import { err, type Result } from '@gatehouse/domain';

/** Handles a rejection: a violation of the constraint is an expected error, and anything else is thrown. */
export function expectViolation<E>(constraint: string, expected: E) {
  return (error: unknown): Result<never, E> => {
    if (error instanceof Error && 'constraint' in error && error.constraint === constraint) {
      return err(expected);
    }
    throw error;
  };
}
