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

const CODES = {
  account_not_found: true,
  ambiguous_token_name: true,
  audit_anchor_unknown: true,
  audit_log_damaged: true,
  audit_not_sealed: true,
  audit_position_unknown: true,
  backup_not_sealed: true,
  creator_not_fit: true,
  credentials_not_accepted: true,
  email_taken: true,
  expiry_not_earlier: true,
  export_end_changed: true,
  export_incomplete: true,
  export_lacks_anchor: true,
  export_not_genuine: true,
  export_unsealed: true,
  extension_schema_not_found: true,
  hashing_busy: true,
  insufficient_scope: true,
  invalid_input: true,
  key_in_use: true,
  key_not_found: true,
  key_not_usable: true,
  key_state_conflict: true,
  key_too_young: true,
  keys_changed: true,
  last_admin: true,
  master_key_rejected: true,
  member_of_another_account: true,
  no_active_key: true,
  not_allowed: true,
  not_found: true,
  organization_not_found: true,
  session_not_accepted: true,
  session_not_found: true,
  token_changed: true,
  token_id_taken: true,
  token_name_taken: true,
  token_not_accepted: true,
  token_not_found: true,
  token_not_recognized: true,
  token_not_rotatable: true,
  token_not_updatable: true,
  too_many_attempts: true,
  transfer_names_taken: true,
  transfer_target_not_fit: true,
  user_not_found: true,
} as const satisfies Record<DomainErrorCode, true>;

/** Every code: extensions may not describe errors of their own by one of these. */
export const ERROR_CODES: readonly string[] = Object.keys(CODES);
