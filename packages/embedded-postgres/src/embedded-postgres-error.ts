/** Why the embedded PostgreSQL cannot be used. Each reason is a problem of the machine, not a bug. */
type EmbeddedPostgresErrorCode =
  | 'unsupported_platform'
  | 'data_folder_unusable'
  | 'folder_of_another_user'
  | 'folder_unreachable'
  | 'no_unprivileged_account'
  | 'initialization_failed'
  | 'set_up_failed'
  | 'socket_folder_unsafe'
  | 'password_missing'
  | 'wrong_password'
  | 'access_changed'
  | 'log_unsafe'
  | 'start_failed'
  | 'timeout';

/** An expected failure. The message is one line for the user who started the program. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
  readonly code: EmbeddedPostgresErrorCode;

  constructor(code: EmbeddedPostgresErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
