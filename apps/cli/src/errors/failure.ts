import { SetupFault, UnavailableFault, UnstorableText } from '@gatehouse/domain';
import { CommanderError } from 'commander';
import { writeProblem } from '../output/write.ts';
import { CommandError, Interrupted } from './command-error.ts';
import { EXIT, type ExitStatus } from './exit-status.ts';

/** The exit status of a command that threw, and the lines of its message. */
export interface Failure {
  readonly status: ExitStatus;
  readonly lines?: readonly string[];
}

export function failureOf(error: unknown): Failure {
  // Commander has already printed its message. For wrong usage it would exit with 1, which here means a fault.
  if (error instanceof CommanderError) return { status: error.exitCode === 0 ? EXIT.done : EXIT.usage };
  if (error instanceof Interrupted) {
    return { status: error.status, ...(error.message !== '' && { lines: error.lines }) };
  }
  if (error instanceof CommandError) return { status: error.status, lines: marked(error.lines) };
  if (error instanceof UnstorableText) return { status: EXIT.usage, lines: marked([unstorable(error)]) };
  return { status: EXIT.fault, lines: marked(linesOfFault(error)) };
}

function marked([first, ...more]: readonly string[]): readonly string[] {
  return [`error: ${first}`, ...more];
}

function unstorable({ message }: UnstorableText): string {
  return `The database cannot store a character of the given text: ${message}. A database in UTF-8 stores all characters.`;
}

/** Returns the message of an error. If the error is a defect of this program, adds the lines of its stack. */
function linesOfFault(error: unknown): readonly string[] {
  if (error instanceof UnavailableFault || error instanceof SetupFault) return [error.message];
  const problem = writeProblem(error);
  if (problem !== undefined) return [`The output cannot be written: ${problem}.`];
  if (!(error instanceof Error)) return [String(error)];
  const { message, stack = message } = error;
  const end = stack.indexOf(message) + message.length;
  // If the message was changed after the error was created, the stack still has the old message.
  if (!stack.includes(message)) return [message];
  const [rest = '', ...frames] = stack.slice(end).split('\n');
  return [stack.slice(0, end) + rest, ...frames];
}
