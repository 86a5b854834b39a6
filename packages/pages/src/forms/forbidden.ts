import type { ExtensionUndecided, ForbiddenByExtension } from '@gatehouse/domain/guards';
import { type View, withAlert } from '../view.ts';

type GuardError = ForbiddenByExtension | ExtensionUndecided;

/** Whether the guard of an extension forbade a change, or did not decide. */
export function isGuardError<E extends { readonly code: string }>(
  error: E | GuardError,
): error is GuardError {
  return error.code === 'forbidden_by_extension' || error.code === 'extension_undecided';
}

/** Shows a form again, and says which extension forbade the change, or did not decide. */
export function guardedForm(shown: View, error: GuardError): View {
  return error.code === 'forbidden_by_extension'
    ? withAlert(shown, `The extension ${error.extension} does not allow this: ${error.title}`, 403)
    : withAlert(
        shown,
        `The extension ${error.extension}, which must allow this, did not answer. Nothing was changed. Try again in a moment.`,
        503,
      );
}
