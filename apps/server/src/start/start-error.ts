import { SetupFault, UnavailableFault } from '@gatehouse/domain';
import { EmbeddedPostgresError, ForeignFolderError, NoBinariesError } from '@gatehouse/embedded-postgres';

/** An expected reason why the server cannot start. The message is one line for the operator. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** Settings that do not fit the database. The process exits with status 2, as for every invalid setting. */
export class SettingsError extends StartError {}

/** Whether the server was started with wrong settings. The process then exits with status 2. */
export function isWrongUse(error: unknown): boolean {
  return [SettingsError, ForeignFolderError, NoBinariesError].some((kind) => error instanceof kind);
}

/** Returns the line to print if the error is an expected reason for a failed start; undefined if the error is a bug. */
export function startProblem(error: unknown): string | undefined {
  const isExpected =
    error instanceof StartError ||
    error instanceof EmbeddedPostgresError ||
    error instanceof SetupFault ||
    error instanceof UnavailableFault;
  return isExpected ? error.message : undefined;
}
