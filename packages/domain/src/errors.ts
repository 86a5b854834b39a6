/** The error type of a result; `never` for any other type, and for a function that passes any errors on. */
type ErrorIn<Value> = Value extends { readonly ok: false; readonly error: infer E }
  ? unknown extends E
    ? never
    : E
  : never;

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
  | ErrorsOf<typeof import('./access/index.ts')>
  | ErrorsOf<typeof import('./accounts/index.ts')>
  | ErrorsOf<typeof import('./audit/index.ts')>
  | ErrorsOf<typeof import('./extensions/index.ts')>
  | ErrorsOf<typeof import('./health/index.ts')>
  | ErrorsOf<typeof import('./organizations/index.ts')>
  | ErrorsOf<typeof import('./sessions/index.ts')>
  | ErrorsOf<typeof import('./sign-in/index.ts')>
  | ErrorsOf<typeof import('./signing-keys/index.ts')>
  | ErrorsOf<typeof import('./suggestions/index.ts')>
  | ErrorsOf<typeof import('./tokens/index.ts')>
  | ErrorsOf<typeof import('./users/index.ts')>,
  { readonly code: string }
>;

export type DomainErrorCode = DomainError['code'];
