import type { Migrated } from '../cli.ts';
import { EXIT, type Exit, type ExitStatus } from './exit-status.ts';

/**
 * Ends a command. The message says what is expected. Each line is printed as one line, even if a path or a database
 * message in it contains a line break.
 */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly status: ExitStatus;
  readonly lines: readonly string[];

  constructor(exit: Exit, message: string | readonly string[], options?: ErrorOptions) {
    const lines = [message].flat();
    super(lines.join('\n'), options);
    this.status = EXIT[exit];
    this.lines = lines;
  }
}

export function usageError(message: string): CommandError {
  return new CommandError('usage', message);
}

/** Other users can write in the data folder, so nothing in it can be trusted. */
export class DataFolderExposed extends CommandError {
  constructor(message: string) {
    super('usage', `${message}.`);
  }
}

/** Ctrl-C, the end of the input, or a "no" at a prompt. */
export class Interrupted extends CommandError {
  constructor(message = 'Interrupted.') {
    super('interrupted', message);
  }
}

/** Says why an extension's tables are missing or outdated. */
export function notMigrated({ name, error }: Migrated['failed'][number]): string {
  const reason = error instanceof Error ? error.message : String(error);
  return `The extension ${name} was not migrated: ${reason}.`;
}
