import type * as access from './access/index.ts';
import type * as accounts from './accounts/index.ts';
import type * as audit from './audit/index.ts';
import type * as health from './health/index.ts';
import type * as organizations from './organizations/index.ts';
import type * as signIn from './sign-in/index.ts';
import type * as signingKeys from './signing-keys/index.ts';
import type * as suggestions from './suggestions/index.ts';
import type * as tokens from './tokens/index.ts';
import type * as users from './users/index.ts';

/** The error type of a result; `never` for any other type. */
type ErrorIn<Value> = Value extends { readonly ok: false; readonly error: infer E } ? E : never;

/** The errors of a function. Use cases take their ports and return a function of their input. */
type ErrorOf<F> = F extends (...input: never[]) => infer R
  ? Awaited<R> extends (...input: never[]) => unknown
    ? ErrorOf<Awaited<R>>
    : ErrorIn<Awaited<R>>
  : never;

/** The errors of all functions that a folder exports. */
type ErrorsOf<Folder> = { [Name in keyof Folder]: ErrorOf<Folder[Name]> }[keyof Folder];

/**
 * Every expected error of the use cases. The union is closed: each app maps every code to a status of its own, and a
 * new code does not compile until it is mapped.
 */
export type DomainError = Extract<
  | ErrorsOf<typeof access>
  | ErrorsOf<typeof accounts>
  | ErrorsOf<typeof audit>
  | ErrorsOf<typeof health>
  | ErrorsOf<typeof organizations>
  | ErrorsOf<typeof signIn>
  | ErrorsOf<typeof signingKeys>
  | ErrorsOf<typeof suggestions>
  | ErrorsOf<typeof tokens>
  | ErrorsOf<typeof users>,
  { readonly code: string }
>;

export type DomainErrorCode = DomainError['code'];
