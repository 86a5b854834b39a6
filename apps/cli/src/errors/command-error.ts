import { EXIT, type ExitStatus } from './exit-status.ts';

/**
 * Ends a command. The message is for the person at the terminal, and says what would be right. It is one line, or those
 * that are given: what is in a line (a path, the words of a database) begins no other.
 */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly status: ExitStatus;
  readonly lines: readonly string[];

  constructor(status: ExitStatus, message: string | readonly string[], options?: ErrorOptions) {
    const lines = [message].flat();
    super(lines.join('\n'), options);
    this.status = status;
    this.lines = lines;
  }
}

export function usageError(message: string): CommandError {
  return new CommandError(EXIT.usage, message);
}

/** Other users can write in the data folder, so that nothing in it is used. */
export class DataFolderExposed extends CommandError {
  constructor(message: string) {
    super(EXIT.usage, `${message}.`);
  }
}

/** Ctrl-C, the end of the input, or a "no" to a question. */
export class Interrupted extends CommandError {
  constructor(message = 'Interrupted.') {
    super(EXIT.interrupted, message);
  }
}
