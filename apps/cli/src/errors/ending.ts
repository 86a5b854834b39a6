import { UnavailableFault } from '@gatehouse/domain';
import { CommanderError } from 'commander';
import { isReaderGone, writeProblem } from '../output/write.ts';
import { CommandError, Interrupted } from './command-error.ts';
import { EXIT, type ExitStatus } from './exit-status.ts';

/** How a command ends that threw, and what a person is told. */
export function endingOf(error: unknown): { readonly status: ExitStatus; readonly message?: string } {
  // Commander has said it already, and has a status of its own for what is wrong usage here.
  if (error instanceof CommanderError) return { status: error.exitCode === 0 ? EXIT.done : EXIT.usage };
  if (error instanceof Interrupted) {
    return { status: error.status, ...(error.message !== '' && { message: error.message }) };
  }
  if (error instanceof CommandError) return { status: error.status, message: `error: ${error.message}` };
  if (error instanceof UnavailableFault) return { status: EXIT.fault, message: `error: ${error.message}` };
  if (isReaderGone(error)) return { status: EXIT.done };
  const problem = writeProblem(error);
  if (problem !== undefined)
    return { status: EXIT.fault, message: `error: The output cannot be written: ${problem}.` };
  // A defect: whoever mends it needs to know where.
  const told = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { status: EXIT.fault, message: `error: ${told}` };
}
