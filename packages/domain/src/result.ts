/** The outcome of an operation: expected errors are values, faults are thrown. */
export type Result<T, E> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: E };

export const ok = <T>(value: T): { readonly ok: true; readonly value: T } => ({ ok: true, value });

export const err = <const E>(error: E): { readonly ok: false; readonly error: E } => ({ ok: false, error });

/** The result of a change, beside the changed resource. */
export interface ChangeOutcome {
  /** Whether the resource already was in this state, so that nothing changed. */
  readonly already: boolean;
}

/** The input is invalid. Contains each invalid field, and what is expected of it. */
export interface InvalidInput {
  readonly code: 'invalid_input';
  readonly problems: readonly { readonly field: string; readonly message: string }[];
}

/** The outcome of an operation with one invalid field. */
export function invalid(field: string, message: string): Result<never, InvalidInput> {
  return err({ code: 'invalid_input', problems: [{ field, message }] });
}
