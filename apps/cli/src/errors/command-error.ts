import { EXIT, type ExitStatus } from './exit-status.ts';

/** Ends a command. The message is for the person at the terminal, and says what would be right. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly status: ExitStatus;

  constructor(status: ExitStatus, message: string, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
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
