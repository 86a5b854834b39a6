import { SetupFault, UnavailableFault } from '@gatehouse/domain';
import { EmbeddedPostgresError, ForeignFolderError, NoBinariesError } from '@gatehouse/embedded-postgres';

/** A failed start. The message is one line for the user. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** The settings do not fit the database; the process exits with 2, as for every invalid setting. */
export class SettingsError extends StartError {}

/** Whether the process exits with status 2, because it was started with wrong arguments or settings. */
export function isWrongUse(error: unknown): boolean {
  return [SettingsError, ForeignFolderError, NoBinariesError].some((kind) => error instanceof kind);
}

/** Returns the line for a failed start; undefined for a bug. */
export function startProblem(error: unknown): string | undefined {
  const isExpected =
    error instanceof StartError ||
    error instanceof EmbeddedPostgresError ||
    error instanceof SetupFault ||
    error instanceof UnavailableFault;
  return isExpected ? error.message : undefined;
}
