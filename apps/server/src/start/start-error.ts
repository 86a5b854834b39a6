import { UnavailableFault } from '@gatehouse/domain';
import { EmbeddedPostgresError } from '@gatehouse/embedded-postgres';

/** Why the server cannot start, in one line for the person who started it. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** The settings are wrong in a way that only the database shows: the process exits 2, as for every wrong setting. */
export class SettingsError extends StartError {}

/** Whether the process exits 2: what is wrong is how it was started. */
export function isWrongUse(error: unknown): boolean {
  return (
    error instanceof SettingsError ||
    (error instanceof EmbeddedPostgresError && error.code === 'folder_of_another_user')
  );
}

/** Returns the line for a failed start; undefined for a bug. */
export function startProblem(error: unknown): string | undefined {
  const isExpected =
    error instanceof StartError ||
    error instanceof EmbeddedPostgresError ||
    error instanceof UnavailableFault;
  return isExpected ? error.message : undefined;
}
