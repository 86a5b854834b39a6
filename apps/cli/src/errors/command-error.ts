import type { Migrated } from '../cli.ts';
import { EXIT, type Exit, type ExitStatus } from './exit-status.ts';

/**
 * Ends a command with an exit status and a message. Each element of `lines` is printed as one line, even if it quotes a
 * path or a message of the database that contains a line break.
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

/** Ends a command because other users can write in the data folder, so that its files cannot be trusted. */
export class DataFolderExposed extends CommandError {
  constructor(message: string) {
    super('usage', `${message}.`);
  }
}

/** Ends a command after Ctrl-C, the end of the input at a prompt, or a "no" at a question. */
export class Interrupted extends CommandError {
  constructor(message = 'Interrupted.') {
    super('interrupted', message);
  }
}

/** Returns the message that an extension's tables could not be migrated, with the reason. */
export function notMigrated({ name, error }: Migrated['failed'][number]): string {
  const reason = error instanceof Error ? error.message : String(error);
  return `The extension ${name} was not migrated: ${reason}.`;
}
