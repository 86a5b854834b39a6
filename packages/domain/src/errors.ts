/** The error type of a result. `never` for any other type, and for a result whose errors have an unknown type. */
type ErrorIn<Value> = Value extends { readonly ok: false; readonly error: infer E }
  ? unknown extends E
    ? never
    : E
  : never;

/**
 * The errors that a function returns. A use case takes its ports and returns a second function, so the errors of the
 * second function count.
 */
type ErrorOf<F> = F extends (...input: never[]) => infer R
  ? Awaited<R> extends (...input: never[]) => unknown
    ? ErrorOf<Awaited<R>>
    : ErrorIn<Awaited<R>>
  : never;

/** The errors of all functions that a folder exports. */
type ErrorsOf<Folder> = { [Name in keyof Folder]: ErrorOf<Folder[Name]> }[keyof Folder];

/**
 * Every expected error of the use cases. Each app has a text or status for every code. After a new code is added, an
 * app does not compile until it handles the code.
 */
export type DomainError = Extract<
  | ErrorsOf<typeof import('./access/index.ts')>
  | ErrorsOf<typeof import('./accounts/index.ts')>
  | ErrorsOf<typeof import('./audit/index.ts')>
  | ErrorsOf<typeof import('./break-glass/index.ts')>
  | ErrorsOf<typeof import('./extensions/index.ts')>
  | ErrorsOf<typeof import('./health/index.ts')>
  | ErrorsOf<typeof import('./identity-providers/index.ts')>
  | ErrorsOf<typeof import('./links/index.ts')>
  | ErrorsOf<typeof import('./mail/index.ts')>
  | ErrorsOf<typeof import('./organizations/index.ts')>
  | ErrorsOf<typeof import('./reactions/index.ts')>
  | ErrorsOf<typeof import('./time-events/index.ts')>
  | ErrorsOf<typeof import('./second-factor/index.ts')>
  | ErrorsOf<typeof import('./services/index.ts')>
  | ErrorsOf<typeof import('./sessions/index.ts')>
  | ErrorsOf<typeof import('./sign-in/index.ts')>
  | ErrorsOf<typeof import('./signing-keys/index.ts')>
  | ErrorsOf<typeof import('./suggestions/index.ts')>
  | ErrorsOf<typeof import('./token-policy/index.ts')>
  | ErrorsOf<typeof import('./tokens/index.ts')>
  | ErrorsOf<typeof import('./users/index.ts')>
  | ErrorsOf<typeof import('./webhooks/index.ts')>,
  { readonly code: string }
>;

export type DomainErrorCode = DomainError['code'];

/** The meaning of an error to the caller. The command line has an exit status for each kind. */
export type ErrorKind =
  | 'notFound'
  | 'notAllowed'
  | 'conflict'
  /** The input must be corrected. */
  | 'invalid'
  /** The operation is impossible now, with any input. */
  | 'unavailable';

/**
 * The kind of every error. The messages of errors are in the apps. The command line does not compile without a message
 * for each code.
 */
export const ERROR_KINDS = {
  account_not_found: 'notFound',
  ambiguous_token_name: 'conflict',
  audit_anchor_unknown: 'conflict',
  audit_log_damaged: 'conflict',
  audit_not_sealed: 'conflict',
  audit_position_unknown: 'conflict',
  audit_reactions_behind: 'conflict',
  backup_not_sealed: 'conflict',
  changes_unknown: 'unavailable',
  creator_not_fit: 'notAllowed',
  credential_ended: 'conflict',
  credential_not_found: 'notFound',
  credential_replaced: 'conflict',
  credentials_not_accepted: 'notAllowed',
  delivery_not_found: 'notFound',
  email_taken: 'conflict',
  enrolment_not_valid: 'conflict',
  expiry_not_earlier: 'conflict',
  export_end_changed: 'conflict',
  export_incomplete: 'conflict',
  export_lacks_anchor: 'conflict',
  export_not_genuine: 'conflict',
  export_unsealed: 'conflict',
  extension_schema_not_found: 'notFound',
  extension_undecided: 'unavailable',
  forbidden_by_extension: 'notAllowed',
  hashing_busy: 'unavailable',
  identity_not_found: 'notFound',
  insufficient_scope: 'notAllowed',
  invalid_input: 'invalid',
  invitation_not_found: 'notFound',
  invitation_of_operator: 'conflict',
  key_in_use: 'conflict',
  key_not_found: 'notFound',
  key_not_usable: 'conflict',
  key_state_conflict: 'conflict',
  key_too_young: 'conflict',
  keys_changed: 'conflict',
  last_admin: 'conflict',
  lifetime_not_allowed: 'notAllowed',
  link_for_admin: 'notAllowed',
  link_not_accepted: 'notAllowed',
  mail_not_sent: 'unavailable',
  mail_not_set_up: 'unavailable',
  master_key_rejected: 'unavailable',
  member_of_another_account: 'conflict',
  network_not_allowed: 'notAllowed',
  networks_not_settable: 'conflict',
  networks_required: 'notAllowed',
  no_active_key: 'conflict',
  no_signing_key: 'conflict',
  not_allowed: 'notAllowed',
  not_found: 'notFound',
  older_edition_serves: 'conflict',
  organization_not_found: 'notFound',
  password_missing: 'conflict',
  provider_not_found: 'notFound',
  provider_sign_in_refused: 'notAllowed',
  password_not_fresh: 'notAllowed',
  reaction_not_found: 'notFound',
  responsible_not_fit: 'conflict',
  scopes_not_allowed: 'notAllowed',
  second_factor_demanded: 'conflict',
  second_factor_enrolled: 'conflict',
  second_factor_not_enrolled: 'conflict',
  second_factor_paused: 'notAllowed',
  second_factor_required: 'notAllowed',
  second_factor_wrong: 'notAllowed',
  service_account_not_found: 'notFound',
  service_accounts_undecided: 'conflict',
  service_name_taken: 'conflict',
  service_not_found: 'notFound',
  service_scope_not_found: 'notFound',
  service_scope_taken: 'conflict',
  session_not_accepted: 'notAllowed',
  session_not_found: 'notFound',
  sign_in_expired: 'notAllowed',
  token_changed: 'conflict',
  token_id_taken: 'conflict',
  token_name_taken: 'conflict',
  token_not_accepted: 'notAllowed',
  token_not_found: 'notFound',
  token_not_recognized: 'notFound',
  token_not_rotatable: 'conflict',
  token_not_updatable: 'conflict',
  too_many_attempts: 'notAllowed',
  too_many_invitations: 'conflict',
  too_many_named: 'invalid',
  too_many_streams: 'unavailable',
  too_many_webhooks: 'conflict',
  transfer_names_taken: 'conflict',
  transfer_raises_rights: 'conflict',
  transfer_target_not_fit: 'conflict',
  user_disabled: 'conflict',
  user_not_found: 'notFound',
  webhook_not_found: 'notFound',
  webhook_test_too_soon: 'notAllowed',
} as const satisfies Record<DomainErrorCode, ErrorKind>;

/** Every code. Extensions cannot give one of these codes to an error of their own. */
export const ERROR_CODES: readonly string[] = Object.keys(ERROR_KINDS);
