/**
 * The embedded PostgreSQL cannot be used because of a problem of the machine; this is not a bug. The message is one
 * line for the user.
 */
export class EmbeddedPostgresError extends Error {
  override readonly name: string = 'EmbeddedPostgresError';
}

/** This installation has no PostgreSQL for the machine. */
export class NoBinariesError extends EmbeddedPostgresError {}

/** Gatehouse runs as root, and another user controls a part of the data folder's path. */
export class ForeignFolderError extends EmbeddedPostgresError {}
