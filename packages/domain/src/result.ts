/**
 * The outcome of an operation. Expected errors are values of this type. Faults, such as an unavailable database, are
 * thrown.
 */
export type Result<T, E> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: E };

export const ok = <T>(value: T): { readonly ok: true; readonly value: T } => ({ ok: true, value });

export const err = <const E>(error: E): { readonly ok: false; readonly error: E } => ({ ok: false, error });

/** A part of the result of a change. The other part is the changed resource. */
export interface ChangeOutcome {
  /** Whether the resource already was in the requested state, so that nothing was changed. */
  readonly already: boolean;
}

/** The error for invalid input. Each problem names an invalid field, and says what is expected of the field. */
export interface InvalidInput {
  readonly code: 'invalid_input';
  readonly problems: readonly { readonly field: string; readonly message: string }[];
}

/** The outcome of an operation with one invalid field. */
export function invalid(field: string, message: string): Result<never, InvalidInput> {
  return err({ code: 'invalid_input', problems: [{ field, message }] });
}
